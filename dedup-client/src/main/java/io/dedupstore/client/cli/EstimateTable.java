package io.dedupstore.client.cli;

import io.dedupstore.client.estimate.Estimate;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** An estimate for people. */
final class EstimateTable {
    private static final int PERCENT = 100;

    private EstimateTable() {}

    static void print(Estimate estimate, PrintWriter out) {
        out.println(
                "%s: %d objects, %s"
                        .formatted(
                                estimate.source(),
                                estimate.items(),
                                HumanUnits.bytes(estimate.logicalBytes())));
        if (estimate.items() == 0 && estimate.complete()) {
            out.println("There is nothing to estimate.");
            return;
        }
        out.println();
        table(estimate).print(out);
        out.println();
        notes(estimate, out);
    }

    private static TextTable table(Estimate estimate) {
        TextTable table =
                new TextTable(
                        "CHUNKING",
                        "RATIO",
                        "95 %",
                        "UNIQUE",
                        "DUPLICATE",
                        "ZERO",
                        "STORED",
                        "SAVED",
                        "95 %",
                        "CHUNKS",
                        "INDEX");
        for (Estimate.Chunking chunking : estimate.chunkings()) {
            table.row(
                    chunking.chunking() + (chunking.offered() ? "" : "*"),
                    ratio(chunking.dedupRatio()),
                    between(chunking.dedupRatio(), "x"),
                    HumanUnits.bytes(chunking.uniqueBytes().value()),
                    HumanUnits.bytes(chunking.duplicateBytes().value()),
                    HumanUnits.bytes(chunking.zeroBytes().value()),
                    HumanUnits.bytes(chunking.storedBytes().value()),
                    percent(chunking.savedPercent()),
                    between(chunking.savedPercent(), "%"),
                    HumanUnits.count(chunking.distinctChunks()),
                    HumanUnits.bytes(chunking.indexBytes()));
        }
        return table;
    }

    private static void notes(Estimate estimate, PrintWriter out) {
        out.println(
                "STORED is after zstd, and has %s of small objects that stay in the metadata."
                        .formatted(HumanUnits.bytes(estimate.inlineBytes())));
        if (estimate.chunkings().stream().anyMatch(chunking -> !chunking.offered())) {
            out.println("* no bucket can be made with it");
        }
        BigDecimal share = estimate.share();
        if (share.compareTo(BigDecimal.ONE) < 0) {
            out.println(
                    "%s %% of the bytes were read (%d pieces, seed %d). What they share with the rest can only be bounded:"
                            .formatted(
                                    share.multiply(BigDecimal.valueOf(PERCENT))
                                            .setScale(2, RoundingMode.HALF_UP),
                                    estimate.readPieces(),
                                    estimate.seed()));
            out.println("the truth lies between the limits, and the figure is only their middle.");
        }
        if (estimate.stopped() != null) {
            out.println(
                    "NOT COMPLETE: %s. The figures are about the %s read until then."
                            .formatted(estimate.stopped(), HumanUnits.bytes(estimate.readBytes())));
        }
        if (estimate.skipped() > 0) {
            out.println(
                    "%d could not be read and are left out; the first: %s"
                            .formatted(estimate.skipped(), estimate.firstSkipped()));
        }
    }

    private static String ratio(Estimate.@Nullable Figure figure) {
        return figure == null ? "-" : twoDigits(figure.value()) + "x";
    }

    private static String percent(Estimate.@Nullable Figure figure) {
        return figure == null ? "-" : twoDigits(figure.value()) + " %";
    }

    private static String between(Estimate.@Nullable Figure figure, String unit) {
        if (figure == null) {
            return "-";
        }
        return figure.low().compareTo(figure.high()) == 0
                ? "exact"
                : twoDigits(figure.low()) + "-" + twoDigits(figure.high()) + unit;
    }

    private static String twoDigits(BigDecimal value) {
        return value.setScale(2, RoundingMode.HALF_UP).toPlainString();
    }
}
