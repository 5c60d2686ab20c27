package io.flowgate.client.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.FlowgateException;
import io.flowgate.client.FullRunRecord;
import io.flowgate.client.Health;
import io.flowgate.client.MemorySearch;
import io.flowgate.client.MessagePage;
import io.flowgate.client.RunMessage;
import io.flowgate.client.RunRecord;
import io.flowgate.client.RunStatus;
import io.flowgate.client.stub.StubServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecordsTest {
  /** What a workflow leaves behind. */
  public record Greeted(String name, @JsonProperty("output.greet") String greeting) {}

  private StubServer server;
  private FlowgateClient client;

  @BeforeAll
  static void openToJackson() {
    RecordsTest.class.getModule().addOpens(RecordsTest.class.getPackageName(), ObjectMapper.class.getModule());
  }

  @BeforeEach
  void start() throws IOException {
    server = new StubServer();
    client = new FlowgateClient(server.url());
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  private RunRecord runWithState(String state) {
    String json =
        "{\"runId\":\"r\",\"workflowId\":\"w\",\"status\":\"paused\",\"createdAt\":1790000000000,\"updatedAt\":2,"
            + "\"new\":1,\"result\":{\"runId\":\"r\",\"completedUnits\":[\"a\"],\"messages\":[],\"duration\":1.5,"
            + "\"tokenUsage\":3,\"cost\":0.25,\"output\":{\"total\":[3]},\"state\":" + state + "}}";
    server.answer((request, wire) -> wire.json(200, json));
    RunRecord run = client.typed().getRun("w", "r");
    assertThat(run.json()).isEqualTo(json);
    return run;
  }

  @Test
  @DisplayName("a run is a record, whose state becomes an object of the caller's")
  void run() {
    RunRecord run = runWithState("{\"name\":\"Ada\",\"output.greet\":\"Hello\",\"more\":[1]}");
    assertThat(run.status()).isEqualTo(RunStatus.PAUSED);
    assertThat(run.createdAt()).isEqualTo(1_790_000_000_000L);
    assertThat(run.error()).isNull();
    assertThat(run.result().completedUnits()).containsExactly("a");
    assertThat(run.result().output()).isEqualTo(Map.of("total", List.of(3)));
    assertThat(run.result().duration()).isEqualTo(1.5);
    assertThat(run.result().stateAs(Greeted.class)).isEqualTo(new Greeted("Ada", "Hello"));
    assertThatThrownBy(() -> run.result().stateAs(Integer.class))
        .isInstanceOf(FlowgateException.class)
        .hasMessageContaining("The run's state is no java.lang.Integer");
    assertThat(run.toString()).doesNotContain("Ada");
  }

  @Test
  @DisplayName("a full record says where a run failed, and has its result all the same")
  void fullRun() {
    String json =
        "{\"runId\":\"r\",\"workflowId\":\"w\",\"status\":\"failed\",\"error\":\"no\",\"parentRunId\":\"p\",\"rootRunId\":\"o\","
            + "\"result\":{\"state\":{\"name\":\"Ada\"}},\"failure\":{\"unitId\":\"a\",\"path\":\"/spec/flow\",\"line\":7,"
            + "\"column\":3,\"attempts\":2,\"code\":\"unit\",\"message\":\"no\"},"
            + "\"waits\":[{\"for\":\"time\",\"id\":4,\"unitId\":\"b\",\"path\":\"/spec/flow\",\"dueAt\":5}],"
            + "\"compensation\":{\"status\":\"failed\",\"done\":2,\"failed\":1,\"unknown\":3}}";
    server.answer((request, wire) -> wire.json(200, json));
    FullRunRecord full = client.typed().getFullRun("w", "r");
    assertThat(full.failure()).isEqualTo(new FullRunRecord.Failure("a", "/spec/flow", 7L, 3L, 2, "unit", "no"));
    assertThat(full.run().result().state()).containsEntry("name", "Ada");
    assertThat(full.waits())
        .containsExactly(new FullRunRecord.OpenWait("time", 4, "b", "/spec/flow", 5L, null, null, null, null));
    assertThat(full.compensation()).isEqualTo(new FullRunRecord.Compensation("failed", 2, 1, 3));
    assertThat(full.parentRunId() + full.rootRunId()).isEqualTo("po");
    assertThat(server.requests().get(0).target()).isEqualTo("/workflows/w/runs/r?view=full");
    assertThat(client.async().getFullRun("w", "r").join()).isEqualTo(full);
    assertThat(client.getFullRun("w", "r")).isEqualTo(json);
    assertThat(full.toString()).doesNotContain("Ada");
  }

  @Test
  @DisplayName("values of JSON are what they were, and nobody can change them")
  void values() {
    Map<String, Object> state =
        runWithState(
                "{\"nothing\":null,\"int\":2147483647,\"long\":2147483648,\"safe\":9007199254740991,"
                    + "\"big\":9223372036854775808,\"tenth\":0.1,\"sum\":0.30000000000000004,\"small\":5e-324,"
                    + "\"large\":1.7976931348623157e+308,\"e21\":1e+21,\"zero\":0.0,\"exact\":0.1234567890123456789,"
                    + "\"beyond\":1e400,\"text\":\"a\\u0301 🚀 \\u2028 \\u0000\",\"\":[{},[],[[null]]],\"twice\":1,\"twice\":2}")
            .result()
            .state();
    assertThat(state)
        .containsEntry("nothing", null)
        .containsEntry("int", 2_147_483_647)
        .containsEntry("long", 2_147_483_648L)
        .containsEntry("safe", 9_007_199_254_740_991L)
        .containsEntry("big", new BigInteger("9223372036854775808"))
        .containsEntry("tenth", 0.1)
        .containsEntry("sum", 0.1 + 0.2)
        .containsEntry("small", Double.MIN_VALUE)
        .containsEntry("large", Double.MAX_VALUE)
        .containsEntry("e21", 1e21)
        .containsEntry("zero", 0.0)
        .containsEntry("exact", new BigDecimal("0.1234567890123456789"))
        .containsEntry("beyond", new BigDecimal("1e400"))
        .containsEntry("text", "a\u0301 🚀 \u2028 \u0000")
        .containsEntry("twice", 2);
    assertThatThrownBy(() -> state.put("x", 1)).isInstanceOf(UnsupportedOperationException.class);
    List<?> list = (List<?>) state.get("");
    assertThatThrownBy(() -> list.remove(0)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> ((List<?>) list.get(2)).clear()).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  @DisplayName("messages are records of their kinds, and what this version does not know is kept whole")
  void messages() {
    String json =
        "{\"messages\":[{\"type\":\"unit-output\",\"timestamp\":5,\"sourceUnitId\":\"a\",\"data\":{\"x\":[null]},\"attempt\":1},"
            + "{\"type\":\"hitl-request\",\"timestamp\":6,\"unitId\":\"g\",\"gateId\":7,\"action\":\"ask\",\"payload\":null},"
            + "{\"type\":\"unit-skipped\",\"timestamp\":7},"
            + "{\"type\":\"dreamt\",\"timestamp\":8,\"of\":\"sheep\"},"
            + "{\"type\":\"run-failed\",\"timestamp\":9,\"error\":\"no\"}],\"next\":null}";
    server.answer((request, wire) -> wire.json(200, json));
    MessagePage page = client.typed().getMessages("w", "r");
    assertThat(page.next()).isNull();
    assertThat(page.messages()).hasSize(5);
    assertThat(page.messages().get(0)).isInstanceOfSatisfying(
        RunMessage.UnitOutput.class, output -> assertThat(output.sourceUnitId()).isEqualTo("a"));
    assertThat(page.messages().get(1)).isEqualTo(new RunMessage.HitlRequest(6, "g", 7, "ask", null));
    assertThat(page.messages().get(2)).isEqualTo(
        new RunMessage.Other("unit-skipped", 7, Map.of("type", "unit-skipped", "timestamp", 7)));
    assertThat(page.messages().get(3).type()).isEqualTo("dreamt");
    assertThat(page.messages().get(4)).isEqualTo(new RunMessage.RunFailed(9, "no"));
  }

  @Test
  @DisplayName("waits, runs of units and what becomes of a run that is cancelled are records of their kinds")
  void stops() {
    String unit = "\"unitId\":\"u\"";
    String child = unit + ",\"childRunId\":\"c\"";
    String json =
        "{\"messages\":[{\"type\":\"timer-set\",\"timestamp\":1," + unit + ",\"dueAt\":1790000000000},"
            + "{\"type\":\"child-started\",\"timestamp\":2," + child + ",\"workflowId\":\"w\"},"
            + "{\"type\":\"child-paused\",\"timestamp\":3," + child + "},"
            + "{\"type\":\"child-ended\",\"timestamp\":4," + child + ",\"status\":\"cancelled\"},"
            + "{\"type\":\"cancel-requested\",\"timestamp\":5,\"by\":\"ann\"},"
            + "{\"type\":\"run-cancelled\",\"timestamp\":6,\"by\":\"ann\"},"
            + "{\"type\":\"run-cancelled\",\"timestamp\":7}],\"next\":null}";
    server.answer((request, wire) -> wire.json(200, json));
    assertThat(client.typed().getMessages("w", "r").messages())
        .containsExactly(
            new RunMessage.TimerSet(1, "u", 1_790_000_000_000L),
            new RunMessage.ChildStarted(2, "u", "c", "w"),
            new RunMessage.ChildPaused(3, "u", "c"),
            new RunMessage.ChildEnded(4, "u", "c", "cancelled"),
            new RunMessage.CancelRequested(5, "ann"),
            new RunMessage.RunCancelled(6, "ann"),
            new RunMessage.Other("run-cancelled", 7, Map.of("type", "run-cancelled", "timestamp", 7)));
  }

  @Test
  @DisplayName("a decision says how it came, unless the service was of before it was told")
  void waysIn() {
    String decided = "{\"type\":\"hitl-response\",\"timestamp\":6,\"gateId\":7,\"approved\":true,\"responder\":\"ann\"";
    String json = "{\"messages\":[" + decided + ",\"via\":\"mcp\"}," + decided + "}],\"next\":null}";
    server.answer((request, wire) -> wire.json(200, json));
    assertThat(client.typed().getMessages("w", "r").messages())
        .containsExactly(
            new RunMessage.HitlResponse(6, 7, true, "ann", "mcp"),
            new RunMessage.HitlResponse(6, 7, true, "ann", "unknown"));
  }

  @Test
  @DisplayName("who did something says whether that is only claimed by the log of an imported run")
  void claims() {
    String by = "\"timestamp\":5,\"by\":\"ann\",\"claimed\":true}";
    String decided = "{\"type\":\"hitl-response\",\"timestamp\":6,\"gateId\":7,\"approved\":true,\"responder\":\"ann\","
        + "\"via\":\"mcp\",\"claimed\":true}";
    String json = "{\"messages\":[{\"type\":\"cancel-requested\"," + by + ",{\"type\":\"run-cancelled\"," + by + ","
        + decided + "],\"next\":null}";
    server.answer((request, wire) -> wire.json(200, json));
    assertThat(client.typed().getMessages("w", "r").messages())
        .containsExactly(
            new RunMessage.CancelRequested(5, "ann", true),
            new RunMessage.RunCancelled(5, "ann", true),
            new RunMessage.HitlResponse(6, 7, true, "ann", "mcp", true));
  }

  @Test
  @DisplayName("hits and health are records, too")
  void hitsAndHealth() {
    server.answer((request, wire) -> wire.json(200,
        "{\"results\":[{\"id\":\"1\",\"content\":\"c\",\"score\":1,\"metadata\":{\"at\":5,\"x\":null}}],\"ok\":true,"
            + "\"workflows\":[\"w\"],\"version\":\"1\",\"memory\":{\"behind\":3}}"));
    MemorySearch found = client.typed().searchMemory("x");
    assertThat(found.results().get(0).score()).isEqualTo(1.0);
    assertThat(found.results().get(0).metadata()).containsEntry("at", 5).containsEntry("x", null);
    Health health = client.typed().health();
    assertThat(health.workflows()).containsExactly("w");
    assertThat(health.memoryBehind()).isEqualTo(3);
    assertThat(health.undecided()).isNull();
  }
}
