package io.dedupstore.server.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the YAML file: sections of settings, a list where a setting has several values. */
final class ConfigFile {
    private ConfigFile() {}

    static void load(Path file, SettingValues into) {
        for (Map.Entry<String, JsonNode> section : parse(file).properties()) {
            if (!section.getValue().isObject() && !section.getValue().isNull()) {
                throw unknown(file, section.getKey());
            }
            for (Map.Entry<String, JsonNode> entry : section.getValue().properties()) {
                String key = section.getKey() + "." + entry.getKey();
                Optional<Setting<?>> setting = Settings.find(Setting::key, key);
                into.set(
                        setting.orElseThrow(() -> unknown(file, key)),
                        text(file, key, entry.getValue()),
                        key + " in " + file);
            }
        }
    }

    private static JsonNode parse(Path file) {
        try {
            YAMLMapper mapper =
                    YAMLMapper.builder()
                            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                            .build();
            JsonNode root = mapper.readTree(Files.readAllBytes(file));
            if (root.isMissingNode() || root.isNull()) {
                return mapper.createObjectNode();
            }
            if (!root.isObject()) {
                throw new ConfigException(
                        ConfigException.Code.UNREADABLE_FILE,
                        file
                                + " must hold sections of settings, like \"s3:\" and under it \"port: 9000\"");
            }
            return root;
        } catch (JsonProcessingException e) {
            throw new ConfigException(
                    ConfigException.Code.UNREADABLE_FILE,
                    "%s, line %d: %s"
                            .formatted(
                                    file,
                                    e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                                    e.getOriginalMessage()),
                    e);
        } catch (IOException e) {
            throw new ConfigException(
                    ConfigException.Code.UNREADABLE_FILE,
                    "the configuration file " + file + " can't be read: " + e,
                    e);
        }
    }

    private static String text(Path file, String key, JsonNode value) {
        if (value.isArray()) {
            List<String> words = new ArrayList<>();
            value.forEach(item -> words.add(text(file, key, item)));
            return String.join(",", words);
        }
        if (!value.isValueNode() || value.isNull()) {
            throw new ConfigException(
                    ConfigException.Code.BAD_VALUE,
                    key + " in " + file + " must be a single value or a list of them");
        }
        return value.asText();
    }

    private static ConfigException unknown(Path file, String key) {
        List<String> keys =
                Settings.ALL.stream().map(Setting::key).map(String.class::cast).toList();
        return new ConfigException(
                ConfigException.Code.UNKNOWN_KEY,
                "%s: there is no setting %s.%s All settings: dedup server --help"
                        .formatted(file, key, NearestName.hint(key, keys)));
    }
}
