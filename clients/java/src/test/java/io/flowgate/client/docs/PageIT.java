package io.flowgate.client.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.flowgate.client.FlowgateClient;
import io.flowgate.client.RetryOptions;
import io.flowgate.client.WatchOptions;
import io.flowgate.client.live.LiveService;
import io.flowgate.client.live.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/java.md}: every snippet compiles without a warning, and does what the page says. */
class PageIT {
  @RegisterExtension static final LiveService SERVICE = LiveService.inMemory(Map.of("FLOWGATE_SECRET_GREET", "hush"));
  private static final Path PAGE = Repository.root().resolve("docs/java.md");
  private static final String ADDRESS = "http://127.0.0.1:8787";
  @TempDir Path folder;

  @Test
  void itsSnippetsCompileAndPrintWhatTheyShould() throws Exception {
    Files.writeString(folder.resolve("hello.yaml"), PageSnippets.documentOf(PAGE));
    List<String> snippets =
        PageSnippets.of(PAGE).stream().filter(snippet -> !PageSnippets.isModule(snippet)).toList();
    List<Path> sources = new ArrayList<>();
    for (int i = 0; i < snippets.size(); i += 1) {
      String snippet = snippets.get(i).replace(ADDRESS, SERVICE.url());
      String program = PageSnippets.program("Snippet" + i, snippet, SERVICE.url());
      sources.add(Files.writeString(folder.resolve("Snippet" + i + ".java"), program));
    }
    JavaProgram.compile(sources, folder);

    List<String> printed = new ArrayList<>();
    for (int i = 0; i < snippets.size(); i += 1) printed.add(JavaProgram.run("Snippet" + i, folder));
    assertThat(printed).hasSize(16);
    assertThat(printed.get(0)).isEqualTo("PAUSED {name=Ada, output.greet=Hello, Ada!}\n");
    assertThat(printed.get(1)).contains("\"status\":\"paused\"", "\"output.greet\":\"Hello, Ada!\"");
    assertThat(printed.get(2)).contains("true hello\n", "2:7 kind must be `Workflow`, not `Workflw`");
    assertThat(printed.get(3)).isEqualTo("Hello, Ada!\n");
    assertThat(printed.get(4)).isEqualTo("COMPLETED\nann\n");
    assertThat(printed.get(5)).isEqualTo("RUNNING\n400 invalid-request\n");
    assertThat(printed.get(6)).isEqualTo("gate Send \"Hello, Dee!\"?\nCOMPLETED\n");
    assertThat(printed.get(7))
        .startsWith("run.started\nunit.scheduled\nunit.finished\n")
        .contains("gate.opened\n", "gate.decided\n")
        .endsWith("run.completed\nrun.completed\n");
    assertThat(printed.get(8)).isEqualTo("Hello, Gus!\nPAUSED\n");
    assertThat(printed.get(9)).isEqualTo("true\n2 [greet]\n");
    assertThat(printed.get(10)).isEmpty();
    assertThat(printed.get(11)).isEqualTo("500000\n");
    assertThat(printed.get(12)).isEqualTo("none [invoice-*]\n");
    assertThat(printed.get(13)).isEqualTo("true\n");
    assertThat(printed.get(14)).startsWith("500 ").contains("Unknown workflow: no-such-workflow");
    assertThat(printed.get(15)).isEqualTo("COMPLETED\n");
  }

  @Test
  void itsModuleIsOneThatCompiles() throws Exception {
    List<String> modules = PageSnippets.of(PAGE).stream().filter(PageSnippets::isModule).toList();
    assertThat(modules).hasSize(1);
    Path module = Files.writeString(folder.resolve("module-info.java"), modules.get(0));
    Path inIt = folder.resolve("com/example/orders/Program.java");
    Files.createDirectories(inIt.getParent());
    Files.writeString(
        inIt,
        "package com.example.orders; class Program { io.flowgate.client.FlowgateClient client; }");
    JavaProgram.compileAsModule(List.of(module, inIt), folder.resolve("classes"));
  }

  @Test
  void itsTableOfTriesHasTheDefaults() throws Exception {
    List<String> rows = new ArrayList<>();
    RetryOptions defaults = RetryOptions.defaults();
    for (var component : RetryOptions.class.getRecordComponents()) {
      rows.add("| `" + component.getName() + "` | `" + component.getAccessor().invoke(defaults) + "` |");
    }
    List<String> page =
        Files.readAllLines(PAGE).stream().map(line -> line.replaceAll(" +", " ")).toList();
    for (String row : rows) assertThat(page).anyMatch(line -> line.startsWith(row));
  }

  @Test
  void itsTableOfWatchesHasTheDefaults() throws Exception {
    List<String> page =
        Files.readAllLines(PAGE).stream().map(line -> line.replaceAll(" +", " ")).toList();
    WatchOptions defaults = WatchOptions.defaults();
    for (var component : WatchOptions.class.getRecordComponents()) {
      Object value = component.getAccessor().invoke(defaults);
      String row = "| `" + component.getName() + "` | " + (value == null ? "" : "`" + value + "` ") + "|";
      assertThat(page).anyMatch(line -> line.startsWith(row));
    }
  }

  @Test
  void itNamesTheVersionThatIsBuilt() throws Exception {
    String version =
        Files.readString(Repository.client().resolve("pom.xml"))
            .replaceFirst("(?s).*?<artifactId>flowgate-client</artifactId>\\s*<version>([^<]+)<.*", "$1");
    assertThat(Files.readString(PAGE))
        .contains("<version>" + version + "</version>", "io.flowgate:flowgate-client:" + version + "\"");
    assertThat(FlowgateClient.class.getPackageName()).isEqualTo("io.flowgate.client");
  }
}
