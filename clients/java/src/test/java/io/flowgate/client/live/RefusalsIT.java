package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.gate;
import static io.flowgate.client.live.Documents.mock;
import static io.flowgate.client.live.Documents.parsed;
import static io.flowgate.client.live.Documents.remote;
import static io.flowgate.client.live.Refusals.NO_RUN;
import static io.flowgate.client.live.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.FlowgateUnreachableException;
import io.flowgate.client.FlowgateValidationException;
import io.flowgate.client.HttpBinding;
import io.flowgate.client.MessagesOptions;
import io.flowgate.client.RespondOptions;
import io.flowgate.client.StartOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The statuses and the words of the interface. */
@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
class RefusalsIT extends AtEveryPlace {
  @Test
  void ofAnUnknownWorkflow() {
    refused(500, "Unknown workflow: nobody", () -> client.startWorkflow("nobody", null, false));
    refused(500, "Unknown workflow: nobody", () -> client.typed().startWorkflow("nobody", null));
  }

  @Test
  void ofAnUnknownRun() {
    String unknown = "Unknown run: " + NO_RUN;
    refused(404, unknown, () -> client.getRun("w", NO_RUN));
    refused(500, unknown, () -> client.resume("w", NO_RUN, Optional.empty()));
    refused(500, unknown, () -> client.respondHitl("w", NO_RUN, true, "ann"));
    refused(404, unknown, () -> client.cancel("w", NO_RUN, "ann"));
    refused(404, unknown, () -> client.pause("w", NO_RUN, null));
    refused(404, unknown, () -> client.typed().getRun("w", NO_RUN));
    refused(404, unknown, () -> client.typed().cancel("w", NO_RUN));
    refused(404, unknown, () -> client.typed().pause("w", NO_RUN));
    refused(500, unknown, () -> client.typed().resume("w", NO_RUN));
    refused(500, unknown, () -> client.typed().respondHitl("w", NO_RUN, false));
    refused(404, unknown, () -> client.typed().getMessages("w", NO_RUN));
    refused(404, unknown, () -> client.typed().waitForRun("w", NO_RUN));
  }

  @Test
  void ofAnInputThatBreaksItsSchemaEveryFaultNamed() {
    Map<String, Object> input = Map.of("type", "object", "required", List.of("a", "b"));
    client.loadAndRegister(document("strict", List.of(mock("x")), Map.of("input", input)), null);
    FlowgateApiException error = refused(400, "", () -> client.startWorkflow("strict", "{\"c\":1}", false));
    assertThat(error.details()).hasSize(2);
    for (Map<String, Object> fault : error.details()) {
      assertThat(error).hasMessageContaining((String) fault.get("message"));
    }
  }

  @Test
  void ofACheckpointThatIsNone() {
    client.loadAndRegister(document("short", List.of(mock("x"))), null);
    String runId = parsed(client.startWorkflow("short", null, true)).get("runId").textValue();
    refused(
        500,
        "No checkpoint found for run: " + runId,
        () -> client.resume("short", runId, Optional.of(runId + ".999")));
  }

  @Test
  void ofADecisionWhereSeveralGatesAreOpenEachOfThemNamed() {
    Map<String, Object> flow = Map.of("flow", Map.of("type", "parallel", "units", List.of("one", "two")));
    client.loadAndRegister(document("gates", List.of(gate("one"), gate("two")), flow), null);
    String runId = client.typed().startWorkflow("gates", null, StartOptions.defaults().sync(true)).runId();
    FlowgateApiException ambiguous = refused(409, "", () -> client.respondHitl("gates", runId, true, null));
    assertThat(ambiguous.type()).isEqualTo("AmbiguousGateError");
    assertThat(ambiguous).hasMessageContaining("May one pass?").hasMessageContaining("May two pass?");

    long gateId = ((Number) ambiguous.details().get(0).get("gateId")).longValue();
    RespondOptions named = RespondOptions.defaults().gateId(gateId);
    client.typed().respondHitl("gates", runId, true, named.responder("ann"));
    FlowgateApiException decided =
        refused(409, "", () -> client.typed().respondHitl("gates", runId, false, named.responder("bob")));
    assertThat(decided.type()).isEqualTo("GateDecidedError");
  }

  @Test
  void ofAWorkflowThatCannotBeLoadedWhichOnlyTheServiceFinds() {
    String yaml = document("lost", List.of(Map.of("id", "a", "uses", "acme.nowhere")));
    assertThat(client.validate(yaml).ok()).isTrue();
    assertThat(refused(400, "acme.nowhere", () -> client.loadAndRegister(yaml, "{}")))
        .isInstanceOfSatisfying(
            FlowgateValidationException.class,
            error -> {
              assertThat(error.type()).isEqualTo("YamlLoadError");
              assertThat(error.faults().get(0).path()).isEqualTo("/spec/units/0/uses");
              assertThat(error.faults().get(0).line()).isEqualTo(1);
            });
  }

  @Test
  void ofBindingsThatAreNone() {
    String yaml = document("misbound", List.of(remote("a")));
    refused(400, "", () -> client.loadAndRegister(yaml, "{\"acme.a\":{\"type\":\"ftp\",\"endpoint\":\"x\"}}"));
    Map<String, HttpBinding> bindings = Map.of("acme.a", HttpBinding.to("not an address"));
    refused(400, "", () -> client.typed().loadAndRegister(yaml, bindings));
  }

  @Test
  void ofAWorkflowThatIsWrongBeforeAnybodyIsAsked() {
    try (FlowgateClient alone = new FlowgateClient("http://127.0.0.1:9")) {
      String wrong = "apiVersion: flowgate/v1\nkind: Workflw\n";
      assertThat(alone.validate(wrong).ok()).isFalse();
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> alone.loadAndRegister(wrong, null), () -> alone.typed().loadAndRegister(wrong))) {
        assertThatThrownBy(call)
            .isInstanceOfSatisfying(
                FlowgateValidationException.class,
                error -> {
                  assertThat(error.status()).isEqualTo(400);
                  assertThat(error.type()).isEqualTo("YamlValidationError");
                  assertThat(error.faults()).anyMatch(fault -> fault.line() == 2 && fault.column() == 7);
                  assertThat(error).hasMessageContaining("Workflw");
                });
      }
    }
  }

  @Test
  void ofACursorThatIsNone() {
    client.loadAndRegister(document("paged", List.of(mock("x"))), null);
    String runId = parsed(client.startWorkflow("paged", null, true)).get("runId").textValue();
    refused(400, "", () -> client.typed().getMessages("paged", runId, MessagesOptions.defaults().after("nonsense")));
  }

  @Test
  void ofReservedKeysInAnInput() {
    client.loadAndRegister(document("reserved", List.of(mock("x"))), null);
    refused(400, "output.x", () -> client.startWorkflow("reserved", "{\"output.x\":1}", true));
  }

  @Test
  void ofAnAddressWhereNobodyListens() {
    try (FlowgateClient alone = FlowgateClient.builder("http://127.0.0.1:9").retries(0).build()) {
      assertThatThrownBy(alone::health)
          .isInstanceOfSatisfying(
              FlowgateUnreachableException.class,
              error ->
                  assertThat(error.reason()).isEqualTo(FlowgateUnreachableException.Reason.CONNECT))
          .hasMessageContaining("is unreachable")
          .hasMessageContaining("http://127.0.0.1:9");
    }
  }

  @Test
  void ofANameThatNobodyHas() {
    try (FlowgateClient alone = FlowgateClient.builder("http://nobody.invalid").retries(0).build()) {
      assertThatThrownBy(() -> alone.getRun("w", "r"))
          .isInstanceOf(FlowgateUnreachableException.class)
          .hasMessageContaining("is unreachable");
    }
  }

  @TestFactory
  List<DynamicTest> ofAnArgumentThatCannotBeMeant() {
    return List.of(
        cannotBeMeant("workflowId must be", () -> client.startWorkflow("", null, false)),
        cannotBeMeant("runId must be", () -> client.getRun("w", "")),
        cannotBeMeant("runId must be", () -> client.getRun("w", null)),
        cannotBeMeant("half of a character", () -> client.getRun("\ud800", "r")),
        cannotBeMeant("cannot be sent", () -> client.getRun("..", "r")),
        cannotBeMeant("input", () -> client.startWorkflow("w", "[1]", false)),
        cannotBeMeant("input", () -> client.startWorkflow("w", "{\"a\":NaN}", false)),
        cannotBeMeant("input", () -> client.startWorkflow("w", "{} {}", false)),
        cannotBeMeant("input", () -> client.typed().startWorkflow("w", List.of(1))),
        cannotBeMeant("input", () -> client.typed().startWorkflow("w", Map.of("a", Double.NaN))),
        cannotBeMeant("bindings", () -> client.loadAndRegister(document("w", List.of(mock("a"))), "[]")),
        cannotBeMeant("responder must be", () -> client.respondHitl("w", "r", true, "")),
        cannotBeMeant("gateId must be", () -> RespondOptions.defaults().gateId(0)),
        cannotBeMeant("comment must", () -> RespondOptions.defaults().comment("x".repeat(10_001))),
        cannotBeMeant("topK must be", () -> client.searchMemory("x", 0)),
        cannotBeMeant("query must be", () -> client.searchMemory(null, 5)),
        cannotBeMeant("limit must be", () -> MessagesOptions.defaults().limit(0)),
        cannotBeMeant("idempotencyKey must be", () -> StartOptions.defaults().idempotencyKey("ü")),
        cannotBeMeant("timeout must be", () -> StartOptions.defaults().timeout(Duration.ofMillis(-1))));
  }

  private static DynamicTest cannotBeMeant(String sentence, ThrowingCallable call) {
    return DynamicTest.dynamicTest(
        sentence,
        () ->
            assertThatThrownBy(call)
                .isInstanceOfAny(IllegalArgumentException.class, NullPointerException.class)
                .hasMessageContaining(sentence));
  }
}
