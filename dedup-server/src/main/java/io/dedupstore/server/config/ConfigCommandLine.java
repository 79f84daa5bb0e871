package io.dedupstore.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The flags, built from the settings' table.
 *
 * @param dataDirectory empty only where help is asked for
 */
record ConfigCommandLine(
        boolean asksForHelp,
        Optional<Path> dataDirectory,
        Optional<Path> configFile,
        ParseResult flags) {
    private static final int WIDTH_COLUMNS = 110;
    private static final String CONFIG_FLAG = "--config";

    static ConfigCommandLine parse(List<String> arguments) {
        CommandLine commandLine = commandLine();
        try {
            ParseResult result = commandLine.parseArgs(arguments.toArray(String[]::new));
            boolean help = result.isUsageHelpRequested();
            Optional<Path> directory = path(result.matchedPositionalValue(0, null));
            if (!help && directory.isEmpty()) {
                throw usage("name the directory that the store shall live in");
            }
            return new ConfigCommandLine(
                    help, directory, path(result.matchedOptionValue(CONFIG_FLAG, null)), result);
        } catch (CommandLine.UnmatchedArgumentException e) {
            throw usage(unmatched(e));
        } catch (ParameterException e) {
            throw usage(e.getMessage());
        }
    }

    void load(SettingValues into) {
        for (Setting<?> setting : Settings.ALL) {
            String text = flags.matchedOptionValue(setting.flag(), null);
            if (text != null) {
                into.set(setting, text, "flag " + setting.flag());
            }
        }
    }

    static String help() {
        return commandLine().getUsageMessage(CommandLine.Help.Ansi.OFF);
    }

    private static CommandLine commandLine() {
        CommandSpec spec = CommandSpec.create().name("dedup server");
        spec.usageMessage()
                .width(WIDTH_COLUMNS)
                .sortOptions(false)
                .customSynopsis("dedup server DIR [FLAGS]")
                .description(
                        "%nRuns the store on a directory: all roles in one process.%n",
                        "Each setting may stand in the YAML file, in the environment and on the command"
                                + " line; the later of these wins. Sizes are written like 64MiB,"
                                + " durations like 30s.%n");
        spec.addPositional(
                PositionalParamSpec.builder()
                        .index("0")
                        .paramLabel("DIR")
                        .type(String.class)
                        .description("Where the store lives; made at the first start.")
                        .arity("0..1")
                        .build());
        spec.addOption(
                option(CONFIG_FLAG, "FILE")
                        .description(
                                "YAML file with settings; default: dedup.yaml in DIR, if there is one.")
                        .build());
        for (Setting<?> setting : Settings.ALL) {
            spec.addOption(option(setting));
        }
        spec.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Print this text.")
                        .build());
        return new CommandLine(spec);
    }

    private static OptionSpec option(Setting<?> setting) {
        String byDefault =
                setting.defaultText().isEmpty() ? "" : ", default: " + setting.defaultText();
        // A line of its own: the library would break a longer one inside a name, after its dot.
        String names = "  %s, %s%s".formatted(setting.key(), setting.environmentName(), byDefault);
        OptionSpec.Builder option =
                option(setting.flag(), setting.type().label())
                        .description(setting.description(), names);
        boolean isSwitch = setting.type() == SettingType.SWITCH;
        return isSwitch
                ? option.arity("0..1").fallbackValue("true").build()
                : option.arity("1").build();
    }

    private static OptionSpec.Builder option(String flag, String label) {
        return OptionSpec.builder(flag).paramLabel(label).type(String.class);
    }

    private static String unmatched(CommandLine.UnmatchedArgumentException e) {
        String first = e.getUnmatched().getFirst();
        if (!first.startsWith("-")) {
            return "one directory is enough; '" + first + "' is too much";
        }
        int equals = first.indexOf('=');
        String flag = equals < 0 ? first : first.substring(0, equals);
        List<String> flags =
                Settings.ALL.stream().map(Setting::flag).map(String.class::cast).toList();
        return "there is no flag " + flag + "." + NearestName.hint(flag, flags);
    }

    private static Optional<Path> path(String text) {
        return Optional.ofNullable(text).flatMap(SettingType.OPTIONAL_PATH.parser());
    }

    private static ConfigException usage(String message) {
        return new ConfigException(
                ConfigException.Code.USAGE,
                message + "\nUsage: dedup server DIR [FLAGS]; all flags: dedup server --help");
    }
}
