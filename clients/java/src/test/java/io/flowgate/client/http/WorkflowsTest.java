package io.flowgate.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.flowgate.client.FlowgateClient;
import io.flowgate.client.FlowgateValidationException;
import io.flowgate.client.ValidationResult;
import io.flowgate.client.stub.StubServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkflowsTest {
  private static final String WORKFLOW =
      "apiVersion: flowgate/v1\nkind: Workflow\nmetadata: { id: w }\nspec: { units: [{ id: a, uses: acme.a }], flow: a }\n";

  @TempDir private Path folder;
  private StubServer server;
  private FlowgateClient client;

  @BeforeEach
  void start() throws IOException {
    server = new StubServer();
    server.answer((request, wire) -> wire.json(201, "{\"workflowId\":\"w\",\"note\":\"in memory\",\"later\":1}"));
    client = new FlowgateClient(server.url());
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  @Test
  @DisplayName("a workflow is given as a text or as the path of a file, and sent as it stands there")
  void textOrPath() throws IOException {
    Path file = Files.writeString(folder.resolve("w.yaml"), WORKFLOW);
    assertThat(client.validate(WORKFLOW).workflowId()).isEqualTo("w");
    assertThat(client.validate(file.toString()).ok()).isTrue();
    assertThat(server.requests()).isEmpty();
    assertThat(client.loadAndRegister(WORKFLOW, null)).contains("\"note\":\"in memory\"");
    assertThat(client.typed().loadAndRegister(file.toString()).note()).isEqualTo("in memory");
    assertThat(client.async().loadAndRegister(file.toString()).join().workflowId()).isEqualTo("w");
    assertThat(server.requests()).hasSize(3).allMatch(request -> request.body().equals(server.requests().get(0).body()));
  }

  @Test
  @DisplayName("one is unregistered, and the answer has no body")
  void deleted() {
    server.answer((request, wire) -> wire.reply(204, Map.of(), ""));
    client.deleteWorkflow("a b");
    client.typed().deleteWorkflow("a b");
    client.async().deleteWorkflow("a b").join();
    assertThat(server.requests()).hasSize(3).allMatch(request -> (request.method() + request.target()).equals("DELETE/workflows/a%20b"));
  }

  @Test
  @DisplayName("a wrong one is refused before anybody is asked, with all its faults")
  void refused() {
    String wrong = WORKFLOW.replace("Workflow", "Workflw").replace("id: w", "id: ''");
    ValidationResult checked = client.validate(wrong);
    assertThat(checked.ok()).isFalse();
    assertThat(checked.errors()).hasSize(2);
    FlowgateValidationException error =
        catchThrowableOfType(FlowgateValidationException.class, () -> client.loadAndRegister(wrong, "{}"));
    assertThat(error.faults()).isEqualTo(checked.faults());
    assertThat(error.status()).isEqualTo(400);
    assertThat(error.type()).isEqualTo("YamlValidationError");
    assertThat(error.details()).hasSize(2);
    assertThat(error.getMessage()).startsWith("The workflow is not valid:\nat 2:7: ").hasLineCount(3);
    assertThatThrownBy(() -> client.async().loadAndRegister(wrong).get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(FlowgateValidationException.class);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  @DisplayName("every fault is named, also those beyond the twentieth, and what may have been meant")
  void everyFault() {
    String units = IntStream.range(0, 30).mapToObj(i -> "    - { id: '' , uses: a }\n").collect(Collectors.joining());
    String wrong = "apiVersion: flowgate/v1\nkind: Workflow\nmetadata: { id: w }\nspec:\n  flow: a\n  units:\n" + units;
    FlowgateValidationException error =
        catchThrowableOfType(FlowgateValidationException.class, () -> client.typed().loadAndRegister(wrong));
    assertThat(error.faults().size()).isGreaterThanOrEqualTo(30);
    assertThat(error.getMessage()).contains("at 36:").doesNotContain("more in");
    assertThatThrownBy(() -> client.loadAndRegister("no/such.yaml", null))
        .isInstanceOf(FlowgateValidationException.class)
        .hasMessageContaining("It was taken as the text of a workflow: a file no/such.yaml cannot be read");
  }
}
