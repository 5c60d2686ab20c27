package io.flowgate.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flowgate.client.AuditQuery;
import io.flowgate.client.CallOptions;
import io.flowgate.client.EventView;
import io.flowgate.client.EventsOptions;
import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.FlowgateValidationException;
import io.flowgate.client.ForkOptions;
import io.flowgate.client.GatesQuery;
import io.flowgate.client.HttpBinding;
import io.flowgate.client.KeysQuery;
import io.flowgate.client.MessagesOptions;
import io.flowgate.client.PageOptions;
import io.flowgate.client.RunStatus;
import io.flowgate.client.RunsQuery;
import io.flowgate.client.StartOptions;
import io.flowgate.client.stub.StubServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes over the wire for lists, copies of runs and versions, and what is refused before it does. */
class ListsTest {
  /** Input of the caller's. */
  public record Order(String id, int count) {}

  private static final String EXPORT =
      "{\"format\":\"flowgate-run/1\",\"runId\":\"r\"}\n{\"type\":\"run-started\",\"ü\":1}\n{\"lastSeq\":1,\"sha256\":\"ab\"}\n";

  private StubServer server;
  private FlowgateClient client;

  @BeforeAll
  static void openToJackson() {
    ListsTest.class.getModule().addOpens(ListsTest.class.getPackageName(), ObjectMapper.class.getModule());
  }

  @BeforeEach
  void start() throws IOException {
    server = new StubServer();
    server.answer((request, wire) -> wire.json(200,
        "{\"runId\":\"r\",\"status\":\"running\",\"items\":[],\"snapshots\":[],\"type\":\"t\",\"definitionHash\":\"h\","
            + "\"units\":{},\"ok\":true}"));
    client = new FlowgateClient(server.url());
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  private StubServer.Received last() {
    return server.requests().get(server.requests().size() - 1);
  }

  private String asked() {
    return last().method() + " " + last().target();
  }

  @Test
  @DisplayName("runs are found by all that is said of them")
  void runs() {
    client.listRuns(RunsQuery.all());
    assertThat(asked()).isEqualTo("GET /runs");
    RunsQuery query =
        RunsQuery.all()
            .workflowId("a b")
            .status(RunStatus.PAUSED, RunStatus.FAILED, RunStatus.PAUSED)
            .label("team", "a:b")
            .label("day", "Á&b")
            .createdAfter(Instant.ofEpochMilli(1))
            .createdBefore(Instant.parse("1970-01-01T00:00:00.002999Z"))
            .openGate()
            .gateUnit("g")
            .cancelled(false)
            .origin("fork")
            .forkedFrom("r1")
            .parent("r2")
            .definitionHash("h")
            .idPrefix("01a")
            .cursor("n")
            .limit(7);
    client.typed().listRuns(query);
    assertThat(asked())
        .isEqualTo(
            "GET /runs?workflowId=a%20b&status=paused%2Cfailed&label=team%3Aa%3Ab&label=day%3A%C3%81%26b&createdAfter=1"
                + "&createdBefore=2&openGate=true&gateUnit=g&cancelled=false&origin=fork&forkedFrom=r1&parent=r2"
                + "&definitionHash=h&id=01a&cursor=n&limit=7");
    assertThat(query.cursor(null).parameters()).doesNotContainKey("cursor");
    assertThat(query.limit(7)).isEqualTo(query).hasSameHashCodeAs(query);
    assertThat(RunsQuery.all().parameters()).isEmpty();
  }

  @Test
  @DisplayName("a cursor can be given by its earlier name")
  void earlierName() {
    assertThat(RunsQuery.all().after("n")).isEqualTo(RunsQuery.all().cursor("n"));
    assertThat(GatesQuery.defaults().after("n")).isEqualTo(GatesQuery.defaults().cursor("n"));
    assertThat(KeysQuery.defaults().after("n")).isEqualTo(KeysQuery.defaults().cursor("n"));
    assertThat(AuditQuery.defaults().after("n")).isEqualTo(AuditQuery.defaults().cursor("n"));
    assertThat(PageOptions.defaults().after("n")).isEqualTo(PageOptions.defaults().cursor("n"));
    assertThat(MessagesOptions.defaults().after("n")).isEqualTo(MessagesOptions.defaults().cursor("n"));
  }

  @Test
  @DisplayName("gates, events, checkpoints and versions are asked for page by page")
  void pages() {
    client.listGates(GatesQuery.defaults());
    assertThat(asked()).isEqualTo("GET /gates?status=open");
    client.typed().listGates(GatesQuery.defaults().decided(true).workflowId("w").cursor("x").limit(3));
    assertThat(asked()).isEqualTo("GET /gates?status=decided&workflowId=w&cursor=x&limit=3");
    client.events("w", "r", EventsOptions.defaults());
    assertThat(asked()).isEqualTo("GET /workflows/w/runs/r/events");
    client.typed().events("w", "r", EventsOptions.defaults().afterSeq(4).limit(2).view(EventView.LOG));
    assertThat(asked()).isEqualTo("GET /workflows/w/runs/r/events?afterSeq=4&limit=2&view=log");
    client.typed().events("w", "r", EventsOptions.defaults().tail(9));
    assertThat(asked()).isEqualTo("GET /workflows/w/runs/r/events?tail=9");
    client.event("w", "r", 7);
    assertThat(asked()).isEqualTo("GET /workflows/w/runs/r/events/7");
    client.typed().event("w", "r", 7, EventView.LOG, CallOptions.defaults());
    assertThat(asked()).isEqualTo("GET /workflows/w/runs/r/events/7?view=log");
    client.listSnapshots("w", "r", PageOptions.defaults().cursor("n").limit(2));
    assertThat(asked()).isEqualTo("GET /workflows/w/runs/r/snapshots?cursor=n&limit=2");
    client.listVersions("a/b", PageOptions.defaults());
    assertThat(asked()).isEqualTo("GET /workflows/a%2Fb/versions");
    client.getWorkflow("w", null);
    assertThat(asked()).isEqualTo("GET /workflows/w");
    client.typed().getWorkflow("w", "h1");
    assertThat(asked()).isEqualTo("GET /workflows/w?hash=h1");
    client.diffVersions("w", "h1", "h2");
    assertThat(asked()).isEqualTo("GET /workflows/w/diff?from=h1&to=h2");
  }

  @Test
  @DisplayName("a fork says from where on, and with what; nothing else is sent")
  void forks() {
    client.typed().fork("w", "r");
    assertThat(asked()).isEqualTo("POST /workflows/w/runs/r/fork");
    assertThat(last().body()).isEqualTo("{}");
    assertThat(last().headers().get("idempotency-key")).hasSize(32);
    ForkOptions options =
        ForkOptions.defaults()
            .fromUnit("b", 2)
            .input(new Order("A 1", 2))
            .state(Map.of("output.a", "ü \"x\""))
            .unitInput(null)
            .currentDefinition()
            .labels(Map.of("why", "again"))
            .idempotencyKey("k 1");
    client.typed().fork("w", "r", options);
    assertThat(last().body())
        .isEqualTo(
            "{\"from\":{\"unitId\":\"b\",\"occurrence\":2},\"input\":{\"id\":\"A 1\",\"count\":2},"
                + "\"state\":{\"output.a\":\"ü \\\"x\\\"\"},\"unitInput\":null,\"definition\":\"current\","
                + "\"labels\":{\"why\":\"again\"}}");
    assertThat(last().headers()).containsEntry("idempotency-key", "k 1");
    client.typed().fork("w", "r", options.fromSnapshot("r.7").sync(true));
    assertThat(last().body()).startsWith("{\"from\":{\"snapshotId\":\"r.7\"},").endsWith(",\"sync\":true}");
    client.fork("w", "r", " { \"state\" : {\"a\":1.0} }");
    assertThat(last().body()).isEqualTo(" { \"state\" : {\"a\":1.0} }");
    client.fork("w", "r", null);
    assertThat(last().body()).isEqualTo("{}");
    assertThat(options.toString()).contains("input").doesNotContain("A 1");
  }

  @Test
  @DisplayName("a start carries its labels, as text and typed")
  void labels() {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("team", "a \"b\"");
    labels.put("day", "");
    StartOptions options = StartOptions.defaults().labels(labels);
    labels.clear();
    client.typed().startWorkflow("w", Map.of("a", 1), options);
    assertThat(last().body())
        .isEqualTo("{\"input\":{\"a\":1},\"sync\":false,\"labels\":{\"team\":\"a \\\"b\\\"\",\"day\":\"\"}}");
    client.startWorkflow("w", "{\"a\":1.0}", options.sync(true));
    assertThat(last().body()).startsWith("{\"input\":{\"a\":1.0},\"sync\":true,\"labels\":{");
  }

  @Test
  @DisplayName("an export is given as it came and sent as it was")
  void copies() {
    server.answer((request, wire) -> wire.reply(200, Map.of("content-type", "application/x-ndjson"), EXPORT));
    assertThat(client.exportRun("w", "r")).isEqualTo(EXPORT);
    assertThat(asked()).isEqualTo("GET /workflows/w/runs/r/export");
    assertThat(last().headers()).containsEntry("accept", "application/x-ndjson");
    assertThat(client.async().exportRun("w", "r").join()).isEqualTo(EXPORT);

    server.answer((request, wire) -> wire.json(201, RetriesTest.RECORD));
    assertThat(client.typed().importRun(EXPORT).status()).isEqualTo(RunStatus.COMPLETED);
    assertThat(asked()).isEqualTo("POST /runs/import");
    assertThat(last().body()).isEqualTo(EXPORT);
    assertThat(last().headers()).containsEntry("content-type", "application/x-ndjson");
  }

  @Test
  @DisplayName("an export that is not whole, or is none, is no answer")
  void cutExports() {
    for (String body : new String[] {"", "{\"a\":1}", EXPORT.substring(0, EXPORT.length() - 8), "{\"a\":1}\n{\"sha256\":\"x\"}\n"}) {
      server.answer((request, wire) -> wire.reply(200, Map.of("content-type", "application/x-ndjson"), body));
      assertThatThrownBy(() -> client.exportRun("w", "r"))
          .isInstanceOf(FlowgateApiException.class)
          .hasMessageContaining("not Flowgate's");
    }
  }

  @Test
  @DisplayName("a workflow goes to the service as it is, also a wrong one")
  void validation(@TempDir Path folder) throws IOException {
    client.validateOnService("kind: Wrong\n", "{\"a\": {\"type\":\"http\"}}");
    assertThat(asked()).isEqualTo("POST /workflows/validate");
    assertThat(last().body()).isEqualTo("{\"yaml\":\"kind: Wrong\\n\",\"bindings\":{\"a\": {\"type\":\"http\"}}}");
    Path file = Files.writeString(folder.resolve("w.yaml"), "ü: 1");
    client.typed().validateOnService(file.toString(), Map.of("a", HttpBinding.to("http://b/")));
    assertThat(last().body())
        .isEqualTo("{\"yaml\":\"ü: 1\",\"bindings\":{\"a\":{\"type\":\"http\",\"endpoint\":\"http://b/\"}}}");
    int asked = server.requests().size();
    Path broken = Files.write(folder.resolve("broken.yaml"), new byte[] {(byte) 0xFF});
    assertThatThrownBy(() -> client.typed().validateOnService(broken.toString()))
        .isInstanceOf(FlowgateValidationException.class)
        .hasMessageContaining("UTF-8");
    assertThat(server.requests()).hasSize(asked);
  }

  @Test
  @DisplayName("what cannot be meant is refused with a sentence, and nobody is asked")
  void refusals() {
    refused(() -> RunsQuery.all().status(), "status must be at least one");
    refused(() -> RunsQuery.all().status(RunStatus.UNKNOWN), "not UNKNOWN");
    refused(() -> RunsQuery.all().label("a:b", "c"), "no name holds a colon");
    refused(() -> RunsQuery.all().label("a", "\uD800"), "half of a character");
    refused(() -> RunsQuery.all().limit(0), "limit must be");
    refused(() -> RunsQuery.all().workflowId(""), "workflowId must be");
    refused(() -> GatesQuery.defaults().limit(0), "limit must be");
    refused(() -> EventsOptions.defaults().afterSeq(-1), "afterSeq must be");
    refused(() -> EventsOptions.defaults().afterSeq(1).tail(1), "tail is in place of afterSeq");
    refused(() -> ForkOptions.defaults().fromUnit("a", 0), "occurrence must be");
    refused(() -> ForkOptions.defaults().input(3), "input must be an object");
    refused(() -> ForkOptions.defaults().state(Map.of("a", Double.NaN)), "state cannot be sent as JSON: a is NaN");
    refused(() -> client.fork("w", "r", "[]"), "forkJson must be one JSON object");
    refused(() -> client.event("w", "r", -1), "seq must be");
    refused(() -> client.diffVersions("w", "", "b"), "from must be");
    assertThat(server.requests()).isEmpty();
  }

  private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String sentence) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(sentence);
  }
}
