package io.dedupstore.bench.index;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What the command line asks for.
 *
 * @param entries the table is to have in the end
 * @param minutes after which it stops growing
 * @param directory for the data; a temporary one that is removed when none is given
 */
record BenchOptions(
        long entries,
        long minutes,
        int clients,
        Set<Part> parts,
        Path json,
        Optional<Path> directory) {
    static final String USAGE =
            """
            Usage: dedup bench index [OPTIONS]

              --entries N    entries the table grows to (default 100000000)
              --minutes N    when it stops growing (default 15)
              --clients N    concurrent writers (default 8)
              --only A,B     of growth, lookup, share, start, claim, load; growth always runs
              --json FILE    where the figures go (default index-bench.json)
              --dir DIR      data directory, must not exist, is kept (default: a temporary one, removed)
            """;

    /** What is measured, in this order. */
    enum Part {
        GROWTH,
        LOOKUP,
        SHARE,
        START,
        CLAIM,
        LOAD
    }

    /** The command line cannot be followed. */
    static final class UsageException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UsageException(String message) {
            super(message);
        }
    }

    static BenchOptions parse(List<String> arguments) {
        long entries = 100_000_000;
        long minutes = 15;
        int clients = 8;
        Set<Part> parts = EnumSet.allOf(Part.class);
        Path json = Path.of("index-bench.json");
        Optional<Path> directory = Optional.empty();
        List<String> left = new ArrayList<>(arguments);
        while (!left.isEmpty()) {
            String name = left.removeFirst();
            if (left.isEmpty()) {
                throw new UsageException(name + " needs a value");
            }
            String value = left.removeFirst();
            switch (name) {
                case "--entries" -> entries = number(name, value, 1_000_000_000);
                case "--minutes" -> minutes = number(name, value, 100_000);
                case "--clients" -> clients = (int) number(name, value, 1_000);
                case "--only" -> parts = parts(value);
                case "--json" -> json = Path.of(value);
                case "--dir" -> directory = Optional.of(Path.of(value));
                default -> throw new UsageException("unknown option " + name);
            }
        }
        return new BenchOptions(entries, minutes, clients, Set.copyOf(parts), json, directory);
    }

    private static long number(String name, String value, long most) {
        try {
            long number = Long.parseLong(value.replace("_", ""));
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new UsageException(name + " needs a number, not " + value);
        }
        throw new UsageException(name + " is 1 to " + most + ", not " + value);
    }

    private static Set<Part> parts(String value) {
        Set<Part> parts = EnumSet.of(Part.GROWTH);
        for (String word : value.split(",")) {
            try {
                parts.add(Part.valueOf(word.trim().toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw new UsageException("there is no part " + word);
            }
        }
        return parts;
    }
}
