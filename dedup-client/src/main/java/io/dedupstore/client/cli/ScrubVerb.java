package io.dedupstore.client.cli;

import io.dedupstore.client.admin.ScrubReport;
import java.io.PrintWriter;

/** A verb that prints how the scrub stands; fails while chunks are damaged. */
abstract class ScrubVerb extends AdminVerb<ScrubReport> {
    @Override
    final int exitCode(ScrubReport report) {
        return report.damagedNow() == 0 ? 0 : 1;
    }

    @Override
    final void print(ScrubReport report, PrintWriter out) {
        boolean running = report.state().equals(ScrubReport.RUNNING);
        out.println(
                "%s, %s a second at most"
                        .formatted(report.state(), HumanUnits.bytes(report.bytesPerSecond())));
        if (report.startedAt() != null) {
            out.println("began       " + report.startedAt());
        }
        if (report.endedAt() != null) {
            out.println((running ? "last ended  " : "ended       ") + report.endedAt());
        }
        out.println(
                "verified    %s of %s containers, %s records, %s of %s"
                        .formatted(
                                HumanUnits.count(report.containers()),
                                HumanUnits.count(report.allContainers()),
                                HumanUnits.count(report.records()),
                                HumanUnits.bytes(report.bytes()),
                                HumanUnits.bytes(report.allBytes())));
        out.println(
                "damaged     %s found by it, %s known now"
                        .formatted(
                                HumanUnits.count(report.damaged()),
                                HumanUnits.count(report.damagedNow())));
        report.addresses().forEach(address -> out.println("  " + address));
        if (report.addresses().size() < report.damagedNow()) {
            out.println("  and others");
        }
    }
}
