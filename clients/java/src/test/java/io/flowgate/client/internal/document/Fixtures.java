package io.flowgate.client.internal.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The documents of {@code schemas/fixtures}, which every reader of the language is tested with. */
final class Fixtures {
  /**
   * One document.
   *
   * @param name folder and name
   * @param expected its JSON
   */
  record Fixture(String name, String text, JsonNode expected) {
    boolean isOkForClients() {
      return name.startsWith("valid/") || expected.path("stage").asText().equals("load");
    }

    List<String> apiGroups() {
      if (!expected.has("apiGroups")) return List.of("flowgate");
      List<String> groups = new ArrayList<>();
      expected.get("apiGroups").forEach(group -> groups.add(group.asText()));
      return groups;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final ObjectMapper JSON = new ObjectMapper();

  private Fixtures() {}

  /** The root of the repository, seen from the folder that the tests run in. */
  static Path repository() {
    String base = System.getProperty("basedir", "");
    Path at = Path.of(base).toAbsolutePath();
    while (at != null && !Files.isDirectory(at.resolve("schemas/fixtures"))) at = at.getParent();
    if (at == null) throw new IllegalStateException("no schemas/fixtures above the folder that the tests run in");
    return at;
  }

  static List<Fixture> all() throws IOException {
    List<Fixture> fixtures = new ArrayList<>();
    for (String kind : List.of("valid", "invalid")) {
      Path folder = repository().resolve("schemas/fixtures").resolve(kind);
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.filter(one -> one.toString().endsWith(".json")).sorted().toList()) {
          fixtures.add(fixture(kind, file));
        }
      }
    }
    return fixtures;
  }

  static List<Fixture> valid() throws IOException {
    return all().stream().filter(fixture -> fixture.name().startsWith("valid/")).toList();
  }

  private static Fixture fixture(String kind, Path file) throws IOException {
    String name = file.getFileName().toString().replaceFirst("\\.json$", "");
    String text = Files.readString(file.resolveSibling(name + ".yaml"));
    return new Fixture(kind + "/" + name, text, JSON.readTree(file.toFile()));
  }
}
