package io.dedupstore.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code --name value} pairs of a benchmark's command line. */
public final class Flags {
    private static final int USAGE_ERROR = 2;

    private final Map<String, String> values = new HashMap<>();

    /** Prints the usage and ends the process where that is asked for, or a flag is unknown. */
    public static Flags parse(String[] arguments, String usage, List<String> known) {
        Flags flags = new Flags();
        for (int i = 0; i < arguments.length; i += 2) {
            if (arguments[i].equals("-h") || arguments[i].equals("--help")) {
                System.out.print(usage);
                System.exit(0);
            }
            if (!known.contains(arguments[i]) || i + 1 == arguments.length) {
                System.err.print("not understood: " + arguments[i] + "\n" + usage);
                System.exit(USAGE_ERROR);
            }
            flags.values.put(arguments[i], arguments[i + 1]);
        }
        return flags;
    }

    /** A whole number from 1 on. */
    public int number(String name, int most, int otherwise) {
        String text = values.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below, for both.
        }
        System.err.printf("%s is a number from 1 to %d, not %s%n", name, most, text);
        System.exit(USAGE_ERROR);
        return otherwise;
    }

    public Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }
}
