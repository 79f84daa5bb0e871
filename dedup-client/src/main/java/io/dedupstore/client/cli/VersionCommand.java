package io.dedupstore.client.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code dedup version}. */
@Command(name = "version", description = "Prints the version.")
final class VersionCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        String version = DedupCli.class.getPackage().getImplementationVersion();
        spec.commandLine()
                .getOut()
                .println("dedupstore " + (version == null ? "unpackaged" : version));
        return 0;
    }
}
