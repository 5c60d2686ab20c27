package io.flowgate.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flowgate.client.BatchedRun;
import io.flowgate.client.BatchedStart;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.FlowgateException;
import io.flowgate.client.RetryOptions;
import io.flowgate.client.RunStatus;
import io.flowgate.client.StartedBatch;
import io.flowgate.client.stub.StubServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a batch of starts sends, and what is made of its answer. */
class BatchesTest {
  private static final String STARTED =
      "{\"runId\":\"r\",\"workflowId\":\"w\",\"status\":\"running\",\"createdAt\":1,\"updatedAt\":2,\"warnings\":[\"x\"]}";
  private static final String REFUSED =
      "{\"error\":\"No.\",\"code\":\"invalid-input\",\"details\":[{\"path\":\"/n\",\"message\":\"no\"}],\"status\":400}";

  private StubServer server;
  private FlowgateClient client;

  @BeforeEach
  void start() throws IOException {
    server = new StubServer();
    server.answer((request, wire) -> wire.json(202, "{\"runs\":[" + STARTED + "," + REFUSED + "]}"));
    RetryOptions fast = RetryOptions.defaults().base(Duration.ofMillis(1)).max(Duration.ofMillis(2));
    client = FlowgateClient.builder(server.url()).retries(fast).build();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  private static List<BatchedStart> two() {
    return List.of(
        BatchedStart.ofJson("{\"a\": 1.0}").labels(Map.of("team", "blue")).idempotencyKey("mine"), BatchedStart.of(null));
  }

  private JsonNode sent(int index) {
    try {
      return new ObjectMapper().readTree(server.requests().get(index).body()).get("runs");
    } catch (IOException fault) {
      throw new IllegalStateException(fault);
    }
  }

  @Test
  @DisplayName("its runs stand in the body, each with a key, and none in a header")
  void itsRequest() {
    client.startBatch("w 1", two());
    StubServer.Received request = server.requests().get(0);
    assertThat(request.method() + " " + request.target()).isEqualTo("POST /workflows/w%201/runs/batch");
    assertThat(request.headers()).doesNotContainKey("idempotency-key");
    assertThat(request.body()).contains("{\"input\":{\"a\": 1.0},\"labels\":{\"team\":\"blue\"},\"idempotencyKey\":\"mine\"}");
    assertThat(sent(0)).hasSize(2);
    assertThat(sent(0).get(1).get("input").toString()).isEqualTo("{}");
    assertThat(sent(0).get(1).get("idempotencyKey").textValue()).matches("[0-9a-f]{32}");
    assertThat(sent(0).get(1).has("labels")).isFalse();
  }

  @Test
  @DisplayName("the same keys are sent in every try")
  void itsKeys() {
    List<Integer> tries = Collections.synchronizedList(new ArrayList<>());
    server.answer((request, wire) -> {
      tries.add(1);
      if (tries.size() < 3) wire.json(503, "{\"error\":\"not now\"}");
      else wire.json(202, "{\"runs\":[" + STARTED + "," + STARTED + "]}");
    });
    client.typed().startBatch("w", two());
    assertThat(server.requests()).hasSize(3);
    assertThat(List.of(sent(1), sent(2))).containsOnly(sent(0));
  }

  @Test
  @DisplayName("its answer is a record of each run, or why it was refused")
  void itsAnswer() {
    StartedBatch batch = client.typed().startBatch("w", two());
    assertThat(batch.json()).isEqualTo("{\"runs\":[" + STARTED + "," + REFUSED + "]}");
    assertThat(batch.runs().get(0))
        .isInstanceOfSatisfying(
            BatchedRun.Started.class,
            started -> {
              assertThat(started.run().runId()).isEqualTo("r");
              assertThat(started.run().status()).isEqualTo(RunStatus.RUNNING);
              assertThat(started.run().warnings()).containsExactly("x");
              assertThat(started.run().json()).isEqualTo(STARTED);
            });
    assertThat(batch.runs().get(1))
        .isEqualTo(
            new BatchedRun.Refused(
                400, "invalid-input", "No.", null, List.of(Map.of("path", "/n", "message", "no")), null));
    assertThat(client.async().startBatch("w", two()).join()).isEqualTo(batch);
    assertThat(client.startBatch("w", two())).isEqualTo(batch.json());
  }

  @Test
  @DisplayName("an answer with another number of runs than were sent is none")
  void ofAnotherLength() {
    assertThatThrownBy(() -> client.typed().startBatch("w", List.of(BatchedStart.of(null))))
        .isInstanceOf(FlowgateException.class)
        .hasMessageContaining("2 runs, and 1 were sent");
  }

  @Test
  @DisplayName("what cannot be meant is refused before anybody is asked")
  void refusedHere() {
    List<BatchedStart> tooMany = Collections.nCopies(1_001, BatchedStart.of(null));
    for (List<BatchedStart> runs : List.of(List.<BatchedStart>of(), tooMany)) {
      assertThatThrownBy(() -> client.startBatch("w", runs))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 1000 starts");
    }
    List<BatchedStart> withNull = Collections.singletonList(null);
    assertThatThrownBy(() -> client.async().startBatch("w", withNull)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> client.startBatch("", two())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BatchedStart.ofJson("[1]")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BatchedStart.of(7)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BatchedStart.of(null).idempotencyKey("ü")).isInstanceOf(IllegalArgumentException.class);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  @DisplayName("a text of a start leaves out what its run works with")
  void itsText() {
    assertThat(BatchedStart.ofJson("{\"secret\":1}").toString()).doesNotContain("secret");
  }
}
