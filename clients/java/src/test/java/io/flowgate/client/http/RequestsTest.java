package io.flowgate.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flowgate.client.CallOptions;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.HttpBinding;
import io.flowgate.client.MessagesOptions;
import io.flowgate.client.RespondOptions;
import io.flowgate.client.ResumeOptions;
import io.flowgate.client.RunBudget;
import io.flowgate.client.StartOptions;
import io.flowgate.client.StopOptions;
import io.flowgate.client.stub.StubServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the wire, and what is refused before it does. */
class RequestsTest {
  private static final String WORKFLOW =
      "apiVersion: flowgate/v1\nkind: Workflow\nmetadata: { id: w }\n"
          + "spec: { units: [{ id: a, uses: acme.a }], flow: a }\n";

  /** A bean's fields, some of which JSON must escape. */
  public record Order(String customer, int count, List<String> items, String note) {}

  private StubServer server;
  private FlowgateClient client;

  /** As a program with modules does in its module-info. */
  @BeforeAll
  static void openToJackson() {
    RequestsTest.class.getModule().addOpens(RequestsTest.class.getPackageName(), ObjectMapper.class.getModule());
  }

  @BeforeEach
  void start() throws IOException {
    server = new StubServer();
    server.answer((request, wire) -> wire.json(200,
        "{\"runId\":\"r\",\"status\":\"running\",\"workflowId\":\"w\",\"results\":[],\"messages\":[],\"ok\":true}"));
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

  @Test
  @DisplayName("each call asks what the interface says")
  void asTheInterfaceSays() {
    client.startWorkflow("w", "{\"a\":1}", true);
    assertThat(last().method() + " " + last().target()).isEqualTo("POST /workflows/w/runs");
    assertThat(last().body()).isEqualTo("{\"input\":{\"a\":1},\"sync\":true}");
    client.getRun("w", "r");
    assertThat(last().method() + " " + last().target()).isEqualTo("GET /workflows/w/runs/r");
    client.resume("w", "r", Optional.empty());
    assertThat(last().method() + " " + last().target()).isEqualTo("POST /workflows/w/runs/r/resume");
    assertThat(last().body()).isEqualTo("{}");
    client.resume("w", "r", Optional.of("r.7"));
    assertThat(last().body()).isEqualTo("{\"snapshotId\":\"r.7\"}");
    RunBudget budget = RunBudget.defaults().maxTokens(500_000).maxCost(12.5);
    client.typed().resume("w", "r", ResumeOptions.defaults().snapshotId("r.7").budget(budget));
    assertThat(last().body()).isEqualTo("{\"snapshotId\":\"r.7\",\"budget\":{\"maxTokens\":500000,\"maxCost\":12.5}}");
    client.typed().resume("w", "r", ResumeOptions.defaults().budget(RunBudget.defaults().maxCost(1e15)));
    assertThat(last().body()).isEqualTo("{\"budget\":{\"maxCost\":1.0E15}}");
    client.cancel("w", "r", null);
    assertThat(last().method() + " " + last().target()).isEqualTo("POST /workflows/w/runs/r/cancel");
    assertThat(last().body()).isEqualTo("{}");
    client.pause("w", "r", "ann");
    assertThat(last().method() + " " + last().target()).isEqualTo("POST /workflows/w/runs/r/pause");
    assertThat(last().body()).isEqualTo("{\"by\":\"ann\"}");
    client.compensate("w", "r", "ann");
    assertThat(last().method() + " " + last().target()).isEqualTo("POST /workflows/w/runs/r/compensate");
    assertThat(last().body()).isEqualTo("{\"by\":\"ann\"}");
    client.typed().cancel("w", "r", StopOptions.defaults().by("ann").idempotencyKey("k 2"));
    assertThat(last().headers()).containsEntry("idempotency-key", "k 2");
    client.respondHitl("w", "r", false, null);
    assertThat(last().method() + " " + last().target()).isEqualTo("POST /workflows/w/runs/r/hitl");
    assertThat(last().body()).isEqualTo("{\"approved\":false}");
    client.respondHitl("w", "r", true, "Ánn Ö’Hara 日本");
    assertThat(last().body()).isEqualTo("{\"approved\":true,\"responder\":\"Ánn Ö’Hara 日本\"}");
    client.searchMemory("ü & é+?", 1_000);
    assertThat(last().method() + " " + last().target())
        .isEqualTo("GET /memory/search?q=%C3%BC%20%26%20%C3%A9%2B%3F&topK=100");
    client.health();
    assertThat(last().method() + " " + last().target()).isEqualTo("GET /health");
    RespondOptions named =
        RespondOptions.defaults().responder("ann").gateId(3).comment("so\n\"be\" it 🚀").syncUntil("recorded");
    client.typed().respondHitl("w", "r", true, named);
    assertThat(last().body())
        .isEqualTo("{\"approved\":true,\"responder\":\"ann\",\"gateId\":3,\"comment\":\"so\\n\\\"be\\\" it 🚀\",\"syncUntil\":\"recorded\"}");
    client.typed().getMessages("w", "r", MessagesOptions.defaults().cursor("a b").limit(2));
    assertThat(last().target()).isEqualTo("/workflows/w/runs/r/messages?cursor=a%20b&limit=2");
    client.typed().resume("w", "r", ResumeOptions.defaults().snapshotId("r.1").idempotencyKey("k 1"));
    assertThat(last().headers()).containsEntry("idempotency-key", "k 1");
    client.typed().searchMemory("x");
    assertThat(last().target()).isEqualTo("/memory/search?q=x&topK=5");
  }

  @Test
  @DisplayName("JSON of the caller is sent byte for byte")
  void byteForByte() {
    String input = " {\"b\" : 1.0, \"a\":12345678901234567890.10e2,\t\"b\":\"\\u00fc\\/ü\", \"\":{ } }\n";
    client.startWorkflow("w", input, false);
    assertThat(last().body()).isEqualTo("{\"input\":" + input + ",\"sync\":false}");
    String bindings = "{ \"acme.a\": {\"endpoint\":\"http://a/\",\"type\":\"http\" , \"timeoutMs\":1e3} }";
    client.loadAndRegister(WORKFLOW, bindings);
    assertThat(last().target()).isEqualTo("/workflows/from-yaml");
    assertThat(last().body()).startsWith("{\"yaml\":\"apiVersion: flowgate/v1\\nkind").endsWith(",\"bindings\":" + bindings + "}");
    client.loadAndRegister(WORKFLOW, "{}");
    assertThat(last().body()).endsWith(",\"bindings\":{}}");
  }

  @ParameterizedTest(name = "no input: {0}")
  @ValueSource(strings = {"null", " null\n"})
  void noInput(String input) {
    client.startWorkflow("w", input, false);
    client.startWorkflow("w", null, false);
    client.typed().startWorkflow("w", null);
    assertThat(server.requests()).allMatch(request -> request.body().equals("{\"input\":{},\"sync\":false}"));
    client.loadAndRegister(WORKFLOW, input);
    assertThat(last().body()).doesNotContain("bindings");
    client.loadAndRegister(WORKFLOW, " ");
    assertThat(last().body()).doesNotContain("bindings");
  }

  @Test
  @DisplayName("inputs are maps, records and beans; half of a character stays what it is")
  void inputsOfTheCaller() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("big", new BigInteger("123456789012345678901234567890"));
    map.put("nothing", null);
    map.put("half", "a\ud800b🚀");
    client.typed().startWorkflow("w", map);
    assertThat(last().body())
        .isEqualTo(
            "{\"input\":{\"big\":123456789012345678901234567890,\"nothing\":null,\"half\":\"a\\ud800b🚀\"},\"sync\":false}");
    client.typed().startWorkflow("w", new Order("Ada", 2, List.of("x"), null), StartOptions.defaults());
    assertThat(last().body())
        .isEqualTo("{\"input\":{\"customer\":\"Ada\",\"count\":2,\"items\":[\"x\"],\"note\":null},\"sync\":false}");
  }

  @Test
  @DisplayName("bindings are records whose headers no text of theirs shows")
  void bindingsOfTheCaller() {
    HttpBinding binding = HttpBinding.to("http://a/").header("authorization", "hush \"1\"").timeout(Duration.ofSeconds(2));
    client.typed().loadAndRegister(WORKFLOW, Map.of("acme.a", binding));
    assertThat(last().body())
        .endsWith(
            ",\"bindings\":{\"acme.a\":{\"type\":\"http\",\"endpoint\":\"http://a/\","
                + "\"headers\":{\"authorization\":\"hush \\\"1\\\"\"},\"timeoutMs\":2000}}}");
    assertThat(binding.toString()).contains("authorization").doesNotContain("hush");
  }

  @ParameterizedTest(name = "the id {0} arrives as it is")
  @ValueSource(strings = {
    "with spaces and  more", "a/b//c", "100% %41 %2F %", "?x=1&y#z", "ünïcödé 日本語 🚀", "\"quotes' `and` \\backslashes\\",
    "...", ".hidden", "__proto__", "from-yaml", "a+b;c=d,e:f@g!$&'()*~_-", "\t", "\u2028"
  })
  void oddIds(String id) {
    client.getRun(id, id);
    String[] parts = last().target().split("/");
    assertThat(parts).hasSize(5);
    for (int at : new int[] {2, 4}) {
      assertThat(URLDecoder.decode(parts[at].replace("+", "%2B"), StandardCharsets.UTF_8)).isEqualTo(id);
    }
  }

  @Test
  @DisplayName("a base address may carry a path, blanks and slashes at its end")
  void basePaths() {
    for (String base : List.of("/api/flowgate/", "/api/flowgate", "/api//../api/flowgate///")) {
      try (FlowgateClient behind = new FlowgateClient(server.url() + base)) {
        behind.health();
        assertThat(last().target()).isEqualTo("/api/flowgate/health");
      }
    }
    try (FlowgateClient behind = new FlowgateClient(server.url() + "/a b/ü")) {
      behind.health();
      assertThat(last().target()).isEqualTo("/a%20b/%C3%BC/health");
    }
  }

  @Test
  @DisplayName("the caller's headers are sent, and ours where both name one")
  void headers() {
    try (FlowgateClient told =
        FlowgateClient.builder(server.url())
            .headers(Map.of("Authorization", "Bearer abc", "Content-Type", "text/plain", "idempotency-key", "theirs"))
            .build()) {
      told.typed().startWorkflow("w", null, StartOptions.defaults().idempotencyKey("ours"));
    }
    assertThat(last().headers())
        .containsEntry("authorization", "Bearer abc")
        .containsEntry("content-type", "application/json")
        .containsEntry("idempotency-key", "ours")
        .containsEntry("accept", "application/json")
        .doesNotContainKey("upgrade");
  }

  @Test
  @DisplayName("a client of HTTP of the caller's is used, and stays open")
  void httpClientOfTheCaller() {
    HttpClient theirs = HttpClient.newHttpClient();
    for (int i = 0; i < 2; i++) {
      try (FlowgateClient through = FlowgateClient.builder(server.url()).httpClient(theirs).build()) {
        through.health();
        assertThat(last().headers()).doesNotContainKey("upgrade");
      }
    }
    assertThat(server.requests()).hasSize(2);
  }

  static Stream<Arguments> argumentsThatCannotBeMeant() {
    Map<String, Object> circle = new HashMap<>();
    circle.put("a", circle);
    String long256 = "x".repeat(257);
    return Stream.of(
        call("workflowId must be", client -> client.startWorkflow("", null, false)),
        call("runId must be", client -> client.getRun("w", null)),
        call("half of a character", client -> client.getRun("\ud800", "r")),
        call("half of a character", client -> client.getRun("a\udc00", "r")),
        call("The id . cannot be sent", client -> client.getRun(".", "r")),
        call("The id .. cannot be sent", client -> client.getRun("w", "..")),
        call("inputJson must be one JSON object", client -> client.startWorkflow("w", "[1]", false)),
        call("inputJson must be one JSON object", client -> client.startWorkflow("w", "", false)),
        call("inputJson must be one JSON object", client -> client.startWorkflow("w", "{a:1}", false)),
        call("inputJson must be one JSON object", client -> client.startWorkflow("w", "{},\"sync\":true", false)),
        call("something follows the object", client -> client.startWorkflow("w", "{} {}", false)),
        call("inputJson must be one JSON object", client -> client.startWorkflow("w", "{}}", false)),
        call("more than 1000 levels", client -> client.startWorkflow("w", "{\"a\":".repeat(1_001) + "1" + "}".repeat(1_001), false)),
        call("bindingsJson must be one JSON object", client -> client.loadAndRegister(WORKFLOW, "[]")),
        call("A workflow is a text, or the path of a file", client -> client.loadAndRegister(null, null)),
        call("input must be an object", client -> client.typed().startWorkflow("w", List.of(1))),
        call("input must be an object", client -> client.typed().startWorkflow("w", "{}")),
        call("a is NaN", client -> client.typed().startWorkflow("w", Map.of("a", Double.NaN))),
        call("a is Infinity", client -> client.typed().startWorkflow("w", Map.of("b", List.of(Map.of("a", Float.POSITIVE_INFINITY))))),
        call("it refers to itself", client -> client.typed().startWorkflow("w", circle)),
        call("it refers to itself", client -> client.typed().startWorkflow("w", Map.of("a", new Object()))),
        call("snapshotId must be", client -> client.resume("w", "r", null)),
        call("responder must be", client -> client.respondHitl("w", "r", true, "")),
        call("responder must be", client -> client.respondHitl("w", "r", true, long256)),
        call("by must be", client -> client.cancel("w", "r", "")),
        call("by must be", client -> StopOptions.defaults().by(long256)),
        call("maxTokens must be", client -> RunBudget.defaults().maxTokens(-1)),
        call("maxTokens must be", client -> RunBudget.defaults().maxTokens(Long.MAX_VALUE)),
        call("maxCost must be", client -> RunBudget.defaults().maxCost(Double.NaN)),
        call("maxCost must be", client -> RunBudget.defaults().maxCost(-0.01)),
        call("gateId must be", client -> RespondOptions.defaults().gateId(0)),
        call("comment must", client -> RespondOptions.defaults().comment("x".repeat(10_001))),
        call("topK must be", client -> client.searchMemory("x", 0)),
        call("query must be", client -> client.searchMemory(null, 5)),
        call("cursor holds half", client -> MessagesOptions.defaults().cursor("\ud800")),
        call("limit must be", client -> MessagesOptions.defaults().limit(0)),
        call("idempotencyKey must be", client -> StartOptions.defaults().idempotencyKey("ü")),
        call("idempotencyKey must be", client -> StartOptions.defaults().idempotencyKey("")),
        call("timeout must be", client -> CallOptions.defaults().timeout(Duration.ZERO)),
        call("timeout must be", client -> CallOptions.defaults().timeout(Duration.ofMillis(-1))),
        call("bindings must be", client -> client.typed().loadAndRegister(WORKFLOW, null)),
        call("workflowId must be", client -> client.async().getRun("", "r")));
  }

  private static Arguments call(String sentence, Consumer<FlowgateClient> call) {
    return Arguments.of(sentence, call);
  }

  @ParameterizedTest(name = "refuses an argument that cannot be meant: {0}")
  @MethodSource("argumentsThatCannotBeMeant")
  void refusesArguments(String sentence, Consumer<FlowgateClient> call) {
    assertThatThrownBy(() -> call.accept(client))
        .isInstanceOfAny(IllegalArgumentException.class, NullPointerException.class)
        .hasMessageContaining(sentence);
    assertThat(server.requests()).isEmpty();
  }

  static Stream<Arguments> optionsThatCannotBeMeant() {
    Consumer<FlowgateClient.Builder> nothing = builder -> {};
    return Stream.of(
        Arguments.of("baseUrl is no address", "", nothing),
        Arguments.of("baseUrl is no address", null, nothing),
        Arguments.of("with its scheme", "localhost:8787", nothing),
        Arguments.of("with its scheme", "//flow", nothing),
        Arguments.of("with its scheme", "ftp://flow", nothing),
        Arguments.of("with its scheme", "http:flow", nothing),
        Arguments.of("in the header authorization", "http://ann:hush@flow", nothing),
        Arguments.of("leave out what begins with ?", "http://flow/?a=1", nothing),
        Arguments.of("leave out what begins with ?", "http://flow/#a", nothing),
        Arguments.of("names no host", "http://my_flow/", nothing),
        Arguments.of("names no host", "http://flow:99999/", nothing),
        option("\"x-key\" cannot be sent", builder -> builder.header("x-key", "hush\nhush")),
        option("\"x-key\" cannot be sent", builder -> builder.header("x-key", "hush ü")),
        option("\"x key\" cannot be sent", builder -> builder.header("x key", "hush")),
        option("\"\" cannot be sent", builder -> builder.header("", "hush")),
        option("\"host\" cannot be set", builder -> builder.header("host", "hush")),
        option("\"Content-Length\" cannot be set", builder -> builder.header("Content-Length", "hush")),
        option("\"Transfer-Encoding\" cannot be set", builder -> builder.header("Transfer-Encoding", "hush")),
        option("\"Accept-Encoding\" cannot be set", builder -> builder.header("Accept-Encoding", "hush")),
        option("the value of \"x-key\"", builder -> builder.header("x-key", null)),
        option("retries: count must be", builder -> builder.retries(-1)),
        option("timeout must be", builder -> builder.timeout(Duration.ZERO)),
        option("connectTimeout must be", builder -> builder.connectTimeout(Duration.ZERO)),
        option("maxResponseBytes must be", builder -> builder.maxResponseBytes(0)),
        option("maxResponseBytes must be", builder -> builder.maxResponseBytes((1L << 30) + 1)),
        option("apiGroups must be", builder -> builder.apiGroups(List.of())),
        option("must not follow redirects", builder -> builder.httpClient(
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build())));
  }

  private static Arguments option(String sentence, Consumer<FlowgateClient.Builder> with) {
    return Arguments.of(sentence, "http://flow", with);
  }

  @ParameterizedTest(name = "refuses an option that cannot be meant, and says no value of a header: {0} ({1})")
  @MethodSource("optionsThatCannotBeMeant")
  void refusesOptions(String sentence, String baseUrl, Consumer<FlowgateClient.Builder> with) {
    assertThatThrownBy(() -> with.accept(FlowgateClient.builder(baseUrl)))
        .isInstanceOfAny(IllegalArgumentException.class, NullPointerException.class)
        .hasNoCause()
        .hasMessageContaining(sentence)
        .hasMessageNotContaining("hush");
  }
}
