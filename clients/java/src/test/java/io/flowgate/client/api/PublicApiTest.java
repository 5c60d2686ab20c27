package io.flowgate.client.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.flowgate.client.live.Repository;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What programs of others may use is in {@code api.txt}, so that no change of it goes unseen. */
class PublicApiTest {
  private static final String PACKAGE = "io.flowgate.client";
  private static final String RENEW = "flowgate.api.renew";
  private static final Path LISTING = Repository.client().resolve("api.txt");
  private static final Path CLASSES = Repository.client().resolve("target/classes");

  @Test
  void isTheOneThatIsListed() throws Exception {
    String printed = printed(publicClasses());
    if (Boolean.getBoolean(RENEW)) Files.writeString(LISTING, printed);

    assertThat(Files.readString(LISTING))
        .as(
            "The public API is another than the one in api.txt. If that is meant, renew the file by"
                + " `mvn test -Dtest=PublicApiTest -D%s=true` in clients/java, and say it in CHANGELOG.md.",
            RENEW)
        .isEqualTo(printed);
  }

  @Test
  void namesNoTypeOfAnotherLibrary() throws Exception {
    assertThat(printed(publicClasses()))
        .doesNotContain("com.fasterxml", "com.networknt", "org.snakeyaml", "org.slf4j", PACKAGE + ".internal");
  }

  /** Sorted, nested ones after their own. */
  private static List<String> publicClasses() throws Exception {
    List<String> names = new ArrayList<>();
    try (var files = Files.list(CLASSES.resolve(PACKAGE.replace('.', '/')))) {
      for (String file : files.map(path -> path.getFileName().toString()).sorted().toList()) {
        if (!file.endsWith(".class")) continue;
        String name = PACKAGE + "." + file.substring(0, file.length() - ".class".length());
        if (isPublic(Class.forName(name, false, PublicApiTest.class.getClassLoader()))) names.add(name);
      }
    }
    return names;
  }

  private static boolean isPublic(Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
      int modifiers = each.getModifiers();
      if (each.isAnonymousClass() || !(Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers))) return false;
    }
    return true;
  }

  /** As the JDK's own {@code javap} prints them, without the names of the files that they come from. */
  private static String printed(List<String> classes) {
    List<String> arguments = new ArrayList<>(List.of("-protected", "-cp", CLASSES.toString()));
    arguments.addAll(classes);
    StringWriter out = new StringWriter();
    StringWriter errors = new StringWriter();
    ToolProvider javap = ToolProvider.findFirst("javap").orElseThrow();
    int code = javap.run(new PrintWriter(out), new PrintWriter(errors), arguments.toArray(String[]::new));
    assertThat(code).as(errors::toString).isZero();
    return out.toString()
        .lines()
        .filter(line -> !line.startsWith("Compiled from "))
        .collect(Collectors.joining("\n", "", "\n"));
  }
}
