package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.bound;
import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.gate;
import static io.flowgate.client.live.Documents.json;
import static io.flowgate.client.live.Documents.mock;
import static io.flowgate.client.live.Documents.parsed;
import static io.flowgate.client.live.Documents.remote;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.flowgate.client.ValidationResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The methods of the interface, which give the service's JSON. */
@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
class TextCallsIT extends AtEveryPlace {
  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "{}", "null"})
  void registersAWorkflowWithoutBindings(String bindings) {
    String yaml = document("greeting", List.of(mock("greet")));
    ValidationResult checked = client.validate(yaml);
    assertThat(checked.ok()).isTrue();
    assertThat(checked.errors()).isEmpty();
    assertThat(checked.workflowId()).isEqualTo("greeting");

    JsonNode registered = parsed(client.loadAndRegister(yaml, bindings));
    assertThat(registered.get("workflowId").textValue()).isEqualTo("greeting");
    assertThat(registered.get("note").textValue()).isNotBlank();
    assertThat(parsed(client.health()).get("workflows")).anyMatch(id -> id.textValue().equals("greeting"));
  }

  @Test
  void bindsUnitsToEndpoints() throws Exception {
    try (UnitServer unit = UnitServer.start(call -> "{\"content\":\"from afar\"}")) {
      client.loadAndRegister(document("bound", List.of(remote("far"))), bound("far", unit.url()));
      JsonNode run = parsed(client.startWorkflow("bound", null, true));
      assertThat(run.at("/result/state")).isEqualTo(parsed("{\"output.far\":\"from afar\"}"));
    }
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"{}", "null", " {} "})
  void startsWithAnEmptyInput(String input) {
    client.loadAndRegister(document("empty", List.of(mock("a"))), null);
    JsonNode run = parsed(client.startWorkflow("empty", input, true));
    assertThat(run.get("status").textValue()).isEqualTo("completed");
    assertThat(run.at("/result/state")).isEqualTo(parsed("{\"output.a\":\"a done\"}"));
  }

  @Test
  void startsWithoutWaitingAndReadsTheRun() throws Exception {
    client.loadAndRegister(document("quick", List.of(mock("a"))), null);
    JsonNode started = parsed(client.startWorkflow("quick", "{\"n\":1}", false));
    assertThat(started.get("status").textValue()).isEqualTo("running");
    assertThat(started.has("result")).isFalse();

    String runId = started.get("runId").textValue();
    JsonNode over =
        Eventually.eventually(
            () -> parsed(client.getRun("quick", runId)), run -> !run.get("status").textValue().equals("running"));
    assertThat(over.get("status").textValue()).isEqualTo("completed");
    assertThat(over.at("/result/state/n").intValue()).isEqualTo(1);
  }

  @Test
  void decidesAtAGate() {
    client.loadAndRegister(document("gated", List.of(mock("a"), gate("agree"), mock("b"))), null);
    JsonNode paused = parsed(client.startWorkflow("gated", null, true));
    assertThat(paused.get("status").textValue()).isEqualTo("paused");
    assertThat(paused.at("/result/completedUnits")).isEqualTo(parsed("[\"a\"]"));
    String runId = paused.get("runId").textValue();
    assertThat(parsed(client.resume("gated", runId, Optional.empty())).get("status").textValue()).isEqualTo("paused");

    String over = client.respondHitl("gated", runId, true, "ann");
    assertThat(parsed(over).get("status").textValue()).isEqualTo("completed");
    assertThat(parsed(over).at("/result/state/output.agree/responder").textValue()).isEqualTo("ann");
    assertThat(client.getRun("gated", runId)).isEqualTo(over);
  }

  @Test
  void leavesTheNameOfAResponderToTheService() {
    client.loadAndRegister(document("unnamed", List.of(gate("agree"))), null);
    String runId = parsed(client.startWorkflow("unnamed", null, true)).get("runId").textValue();
    JsonNode over = parsed(client.respondHitl("unnamed", runId, false, null));
    assertThat(over.get("status").textValue()).isEqualTo("failed");
    assertThat(over.get("error").textValue()).contains("Rejected by user");
  }

  @Test
  void goesBackToACheckpoint() throws Exception {
    try (UnitServer unit = UnitServer.start(call -> "{\"content\":\"counted\"}")) {
      client.loadAndRegister(document("twice", List.of(mock("a"), remote("b"))), bound("b", unit.url()));
      JsonNode first = parsed(client.startWorkflow("twice", null, true));
      String runId = first.get("runId").textValue();
      String snapshotId = null;
      for (JsonNode message : first.at("/result/messages")) {
        if (snapshotId == null && message.has("snapshotId")) snapshotId = message.get("snapshotId").textValue();
      }
      client.resume("twice", runId, Optional.of(snapshotId));
      Eventually.eventually(
          () -> parsed(client.getRun("twice", runId)).get("status").textValue(), "completed"::equals);
      assertThat(unit.requests()).hasSize(2);
    }
  }

  @Test
  void tellsOfARunThatFailedAsARecord() {
    Map<String, Object> late = Map.of("id", "no", "uses", "builtin.fail", "config", Map.of("message", "it is late"));
    client.loadAndRegister(document("failing", List.of(late)), "");
    JsonNode run = parsed(client.startWorkflow("failing", "{}", true));
    assertThat(run.get("status").textValue()).isEqualTo("failed");
    assertThat(run.get("error").textValue()).contains("it is late");
    assertThat(run.has("result")).isFalse();
  }

  @Test
  void findsInTheMemoryWhatUnitsAnswered() throws Exception {
    String word = "purple" + place.ordinal();
    client.loadAndRegister(document("remembered", List.of(mock("a", "a " + word + " elephant"))), null);
    client.startWorkflow("remembered", null, true);
    JsonNode found =
        Eventually.eventually(
            () -> parsed(client.searchMemory(word, 5)).get("results"), results -> !results.isEmpty());
    assertThat(found.get(0).get("content").textValue()).contains(word);
    assertThat(parsed(client.searchMemory(word, 1_000)).get("results")).hasSize(1);
    assertThat(client.searchMemory("", 5)).isEqualTo("{\"results\":[]}");
  }

  @Test
  void registersADocumentThatIsInAFile() throws Exception {
    Path file = Files.createTempFile("flowgate-", ".yaml");
    try {
      Files.writeString(file, document("from a file", List.of(mock("a"))));
      assertThat(client.validate(file.toString()).workflowId()).isEqualTo("from a file");
      assertThat(parsed(client.loadAndRegister(file.toString(), null)).get("workflowId").textValue())
          .isEqualTo("from a file");
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void sendsTheInputAsItWasWritten() throws Exception {
    String input = json(Map.of("text", "ü \"quoted\" \\ \n 🚀", "nothing", List.of()));
    try (UnitServer unit = UnitServer.start(call -> "{\"content\":" + parsed(call.body()).get("input") + "}")) {
      client.loadAndRegister(document("echo", List.of(remote("a"))), bound("a", unit.url()));
      JsonNode run = parsed(client.startWorkflow("echo", input, true));
      assertThat(run.at("/result/state/output.a")).isEqualTo(parsed(input));
    }
  }
}
