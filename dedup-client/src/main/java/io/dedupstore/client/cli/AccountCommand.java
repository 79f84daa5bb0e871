package io.dedupstore.client.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dedup admin account ...}. */
@Command(
        name = "account",
        description = "Works on one account.",
        subcommands = {
            AccountCreateCommand.class,
            AccountShowCommand.class,
            UserCreateCommand.class,
            UserDeleteCommand.class,
            UsersCommand.class,
            KeyCreateCommand.class,
            KeySetCommand.class,
            KeyDeleteCommand.class
        })
final class AccountCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a verb is missing");
    }
}
