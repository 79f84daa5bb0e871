package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminJson;
import io.dedupstore.client.estimate.DataSet;
import io.dedupstore.client.estimate.DirectoryData;
import io.dedupstore.client.estimate.Estimate;
import io.dedupstore.client.estimate.EstimateOptions;
import io.dedupstore.client.estimate.Estimation;
import io.dedupstore.client.estimate.S3Data;
import io.dedupstore.client.s3.S3Reader;
import io.dedupstore.core.chunking.ChunkingException;
import io.dedupstore.core.chunking.ChunkingSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code dedup admin estimate}. */
@Command(
        name = "estimate",
        description = {
            "What a data set would save by deduplication and compression, before anything is moved.",
            "",
            "Reads a directory, an S3 URL or a bucket, from this machine, and writes nothing."
        },
        footer = {
            "",
            "Exit code 0: all was looked at. 1: nothing, or not all of it: what is known is printed.",
            "2: not understood. 130: interrupted by Ctrl-C; what was read until then is printed."
        })
final class EstimateCommand implements Callable<Integer> {
    private static final String S3_SCHEME = "s3://";
    private static final int THREADS_FOR_S3 = 8;
    private static final Duration TIME_TO_PRINT = Duration.ofSeconds(30);

    @Parameters(
            paramLabel = "SOURCE",
            description = {
                "s3://BUCKET[/PREFIX], the name of a bucket, or a directory.",
                "What contains a slash, or is . or .., is a directory."
            })
    private String source = "";

    @Option(
            names = "--chunk",
            paramLabel = "SPEC",
            split = ",",
            converter = ChunkConverter.class,
            description =
                    "Ways to cut, separated by commas: cdc:8k to cdc:256k, fixed:4k to fixed:1m. Default:"
                            + " cdc:8k,cdc:64k,cdc:256k,fixed:4k,fixed:64k,fixed:128k,fixed:1m.")
    private List<ChunkingSpec> specs = EstimateOptions.DEFAULT_SPECS;

    @Option(
            names = "--sample",
            paramLabel = "SHARE",
            defaultValue = "100%",
            converter = Sizes.Share.class,
            description =
                    "Read only so much of the data, chosen by chance. Default: ${DEFAULT-VALUE}.")
    private double share;

    @Option(
            names = "--max-bytes",
            paramLabel = "SIZE",
            defaultValue = "0",
            converter = Sizes.Bytes.class,
            description =
                    "Read at most so many bytes, chosen by chance; lists everything twice. Default: no limit.")
    private long maxBytes;

    @Option(
            names = "--sample-chunks",
            paramLabel = "N",
            description =
                    "Distinct chunks kept of each way to cut; four times as many halve the error. Default: "
                            + EstimateOptions.DEFAULT_SAMPLE_CHUNKS
                            + ".")
    private int sampleChunks = EstimateOptions.DEFAULT_SAMPLE_CHUNKS;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "That read and cut. Default: processors, and not less than 8 for S3.")
    private @Nullable Integer threads;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of all chance; the same data and seed give the same figures.")
    private long seed;

    @Option(names = "--json", description = "Print JSON with plain integers.")
    private boolean json;

    @Option(names = "--quiet", description = "No progress on the error output.")
    private boolean quiet;

    @Mixin private S3Options s3 = new S3Options();

    @Spec private CommandSpec spec;

    static final class ChunkConverter implements ITypeConverter<ChunkingSpec> {
        @Override
        public ChunkingSpec convert(String text) {
            try {
                return EstimateOptions.parseSpec(text);
            } catch (ChunkingException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    @Override
    public Integer call() throws IOException {
        EstimateOptions options =
                new EstimateOptions(specs, share, maxBytes, sampleChunks, threadCount(), seed);
        try (DataSet data = open()) {
            return run(new Estimation(data, options));
        }
    }

    private int run(Estimation estimation) throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        CountDownLatch printed = new CountDownLatch(1);
        Thread hook = onInterrupt(estimation, printed);
        try {
            Estimate estimate;
            try (EstimateProgress progress = new EstimateProgress(estimation, err, quiet)) {
                progress.begin();
                estimate = estimation.run();
            }
            print(estimate);
            return estimate.complete() ? 0 : 1;
        } finally {
            printed.countDown();
            forget(hook);
        }
    }

    private void print(Estimate estimate) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(AdminJson.lenient().writeValueAsString(estimate));
        } else {
            EstimateTable.print(estimate, out);
        }
        out.flush();
    }

    /** Ctrl-C ends the process only when what is known has been printed. */
    private static Thread onInterrupt(Estimation estimation, CountDownLatch printed) {
        Thread hook =
                Thread.ofPlatform()
                        .name("print-before-exit")
                        .unstarted(
                                () -> {
                                    estimation.stop();
                                    await(printed);
                                });
        Runtime.getRuntime().addShutdownHook(hook);
        return hook;
    }

    private static void await(CountDownLatch printed) {
        try {
            if (!printed.await(TIME_TO_PRINT.toSeconds(), TimeUnit.SECONDS)) {
                Thread.currentThread().interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It runs already: this is the end that it waits for.
        }
    }

    private int threadCount() {
        if (threads != null) {
            return threads;
        }
        int processors =
                Math.min(Runtime.getRuntime().availableProcessors(), EstimateOptions.MAX_THREADS);
        return isDirectory() ? processors : Math.max(processors, THREADS_FOR_S3);
    }

    private boolean isDirectory() {
        return !source.startsWith(S3_SCHEME)
                && (source.contains("/") || source.equals(".") || source.equals(".."));
    }

    private DataSet open() throws IOException {
        if (source.isBlank()) {
            throw new IOException("the source is empty");
        }
        if (isDirectory()) {
            return new DirectoryData(Path.of(source));
        }
        boolean url = source.startsWith(S3_SCHEME);
        String name = url ? source.substring(S3_SCHEME.length()) : source;
        int slash = name.indexOf('/');
        String bucket = slash < 0 ? name : name.substring(0, slash);
        String prefix = slash < 0 ? "" : name.substring(slash + 1);
        if (bucket.isEmpty()) {
            throw new IOException(source + " names no bucket; write s3://BUCKET/PREFIX");
        }
        S3Reader reader =
                new S3Reader(s3.connection(!url, System.getenv()), InstantSource.system());
        return new S3Data(reader, bucket, prefix);
    }
}
