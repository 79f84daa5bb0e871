package io.dedupstore.client.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.AdminJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A verb that asks the server one thing and prints the answer, as a table or as JSON. */
abstract class AdminVerb<T> implements Callable<Integer> {
    @Mixin private ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--json", description = "Print JSON with plain integers.")
    private boolean json;

    @Spec private CommandSpec spec;

    abstract T ask(AdminClient client) throws IOException;

    abstract void print(T answer, PrintWriter out);

    @Override
    public Integer call() throws IOException {
        T answer;
        try (AdminClient client = connection.connect()) {
            answer = ask(client);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(toJson(answer));
        } else {
            print(answer, out);
        }
        out.flush();
        return exitCode(answer);
    }

    /** For verbs whose answer may be a bad one. */
    int exitCode(T answer) {
        return 0;
    }

    private static String toJson(Object answer) throws JsonProcessingException {
        return AdminJson.lenient().writeValueAsString(answer);
    }
}
