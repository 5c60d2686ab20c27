package io.flowgate.client.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flowgate.client.DocumentFault;
import io.flowgate.client.EventPage;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.FullRunRecord;
import io.flowgate.client.GateItem;
import io.flowgate.client.GatePage;
import io.flowgate.client.Page;
import io.flowgate.client.PublicEvent;
import io.flowgate.client.RunItem;
import io.flowgate.client.RunStatus;
import io.flowgate.client.ServiceValidation;
import io.flowgate.client.SnapshotItem;
import io.flowgate.client.WorkflowDetails;
import io.flowgate.client.WorkflowDiff;
import io.flowgate.client.WorkflowVersion;
import io.flowgate.client.stub.StubServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ListRecordsTest {
  private static final String RUN =
      "{\"runId\":\"r\",\"workflowId\":\"w\",\"status\":\"paused\",\"createdAt\":1,\"updatedAt\":2,\"endedAt\":null,"
          + "\"duration\":1.5,\"tokenUsage\":3,\"cost\":0.25,\"labels\":{\"team\":\"a\"},\"origin\":\"fork\","
          + "\"forkedFrom\":\"q\",\"parentRunId\":\"p\",\"definitionHash\":\"h\",\"cancelled\":false,\"error\":null,\"waitingFor\":\"gate\","
          + "\"compensation\":{\"status\":\"owed\",\"done\":0,\"failed\":0,\"unknown\":1},"
          + "\"openGates\":[{\"gateId\":3,\"unitId\":\"g\",\"title\":\"May it?\",\"openedAt\":4}],\"later\":1}";
  private static final RunItem RUN_ITEM =
      new RunItem("r", "w", RunStatus.PAUSED, 1, 2, null, 1.5, 3.0, 0.25, Map.of("team", "a"), "fork", "q", "p", "h",
          false, null, "gate", List.of(new RunItem.OpenGate(3, "g", "May it?", false, 4)),
          new FullRunRecord.Compensation("owed", 0, 0, 1));

  private StubServer server;
  private FlowgateClient client;

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

  private String answered(String json) {
    server.answer((request, wire) -> wire.json(200, json));
    return json;
  }

  @Test
  void ofRuns() {
    String json = answered("{\"items\":[" + RUN + ",{\"runId\":\"s\",\"status\":\"new\",\"duration\":null}],\"next\":\"n\"}");
    Page<RunItem> page = client.typed().listRuns();
    assertThat(page.json()).isEqualTo(json);
    assertThat(page.next()).isEqualTo("n");
    assertThat(page.items().get(0)).isEqualTo(RUN_ITEM);
    RunItem bare = page.items().get(1);
    assertThat(bare.status()).isEqualTo(RunStatus.UNKNOWN);
    assertThat(bare.duration()).isNull();
    assertThat(bare.labels()).isEmpty();
    assertThatThrownBy(() -> page.items().get(0).labels().put("a", "b")).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void ofGates() {
    answered(
        "{\"items\":[{\"gateId\":3,\"runId\":\"r\",\"workflowId\":\"w\",\"definitionHash\":\"h\",\"unitId\":\"g\","
            + "\"path\":\"/spec/units/0\",\"title\":\"May it?\",\"description\":null,\"payload\":{\"a\":[1]},"
            + "\"onReject\":\"fail\",\"openedAt\":4,\"decision\":{\"approved\":true,\"responder\":\"ann\",\"decidedAt\":5,"
            + "\"comment\":null}},{\"gateId\":4,\"titleCut\":true,\"descriptionCut\":true,\"payload\":null,"
            + "\"payloadCut\":true,\"dueAt\":9}],\"next\":null,\"open\":12}");
    GatePage page = client.typed().listGates();
    assertThat(page.open()).isEqualTo(12);
    assertThat(page.next()).isNull();
    assertThat(page.items().get(0))
        .isEqualTo(
            new GateItem(3, "r", "w", "h", "g", "/spec/units/0", "May it?", false, null, false, Map.of("a", List.of(1)), false,
                "fail", 4, new GateItem.Decision(true, "ann", 5, null)));
    assertThat(page.items().get(0).dueAt()).isNull();
    assertThat(page.items().get(1).dueAt()).isEqualTo(9);
    assertThat(page.items().get(1).payloadCut()).isTrue();
    assertThat(page.items().get(1).titleCut()).isTrue();
    assertThat(page.items().get(1).descriptionCut()).isTrue();
    assertThat(page.items().get(1).decision()).isNull();
    assertThat(page.items().get(0).toString()).doesNotContain("payload");
  }

  @Test
  void ofEvents() {
    answered(
        "{\"items\":[{\"runId\":\"r\",\"workflowId\":\"w\",\"seq\":7,\"at\":8,\"type\":\"unit.finished\","
            + "\"data\":{\"unitId\":\"a\",\"none\":null},\"path\":\"/a\",\"scope\":\"s\","
            + "\"cut\":[{\"pointer\":\"/output\",\"bytes\":5000,\"head\":\"\\\"aa\"}]}],\"next\":7}");
    EventPage page = client.typed().events("w", "r");
    assertThat(page.next()).isEqualTo(7);
    PublicEvent event = page.items().get(0);
    assertThat(event.data()).containsEntry("unitId", "a").containsEntry("none", null);
    assertThat(event.cut()).containsExactly(new PublicEvent.CutValue("/output", 5_000, "\"aa"));
    assertThat(List.of(event.seq(), event.at())).containsExactly(7L, 8L);
    assertThat(event.path() + event.scope()).isEqualTo("/as");
    assertThat(event.toString()).contains("unit.finished").doesNotContain("none");
    answered("{\"runId\":\"r\",\"workflowId\":\"w\",\"seq\":7,\"at\":8,\"type\":\"new.one\",\"data\":{}}");
    assertThat(client.typed().event("w", "r", 7).type()).isEqualTo("new.one");
    answered("{\"items\":[],\"next\":null}");
    assertThat(client.typed().events("w", "r").next()).isNull();
  }

  @Test
  void ofCheckpointsAndVersions() {
    answered("{\"snapshots\":[{\"snapshotId\":\"r.3\",\"createdAt\":1,\"after\":\"unit-finished\",\"unitId\":\"a\"}],\"next\":null}");
    assertThat(client.typed().listSnapshots("w", "r").items())
        .containsExactly(new SnapshotItem("r.3", 1, "unit-finished", "a"));
    answered("{\"items\":[{\"definitionHash\":\"h\",\"registeredAt\":1,\"current\":true}],\"next\":null}");
    assertThat(client.typed().listVersions("w").items()).containsExactly(new WorkflowVersion("h", 1, true));
    String json =
        answered(
            "{\"workflowId\":\"w\",\"definitionHash\":\"h\",\"registeredAt\":1,\"current\":true,\"description\":null,"
                + "\"labels\":{\"a\":\"b\"},\"units\":[\"a\"],\"flowType\":\"sequential\",\"yaml\":\"y\","
                + "\"inputSchema\":{\"type\":\"object\"},\"bindings\":[{\"uses\":\"u\",\"origin\":\"http://a\",\"headers\":[\"x\"]}]}");
    WorkflowDetails details = client.typed().getWorkflow("w");
    assertThat(details)
        .isEqualTo(
            new WorkflowDetails("w", "h", 1, true, null, Map.of("a", "b"), List.of("a"), "sequential", "y",
                Map.of("type", "object"), List.of(new WorkflowDetails.BoundUses("u", "http://a", List.of("x"))), json));
    answered("{\"workflowId\":\"w\",\"definitionHash\":\"h\",\"inputSchema\":null}");
    assertThat(client.typed().getWorkflow("w").inputSchema()).isNull();
    json = answered("{\"text\":\"-a\\n+b\",\"units\":{\"added\":[\"b\"],\"removed\":[\"a\"],\"changed\":[]}}");
    assertThat(client.typed().diffVersions("w", "h", "i"))
        .isEqualTo(new WorkflowDiff("-a\n+b", List.of("b"), List.of("a"), List.of(), json));
  }

  @Test
  @DisplayName("of what the service finds in a workflow")
  void ofValidations() {
    String json =
        answered(
            "{\"ok\":false,\"details\":[{\"path\":\"/kind\",\"line\":2,\"column\":7,\"message\":\"no\"},"
                + "{\"path\":\"\",\"message\":\"so\"}],\"warnings\":[\"w\"]}");
    assertThat(client.typed().validateOnService("kind: x\n"))
        .isEqualTo(
            new ServiceValidation(false, null,
                List.of(new DocumentFault("/kind", 2, 7, "no"), new DocumentFault("", null, null, "so")), List.of("w"), json));
  }
}
