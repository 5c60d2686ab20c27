package io.flowgate.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.FlowgateValidationException;
import io.flowgate.client.stub.StubServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrangeAnswersTest {
  private static final Map<String, String> HTML = Map.of("content-type", "text/html");
  private static final Map<String, String> JSON = Map.of("content-type", "application/json");

  private StubServer server;

  @BeforeEach
  void start() throws IOException {
    server = new StubServer();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private FlowgateApiException refused(int status, Map<String, String> headers, String body) {
    server.answer((request, wire) -> wire.reply(status, headers, body));
    return refused(builder -> {});
  }

  private FlowgateApiException refused(Consumer<FlowgateClient.Builder> with) {
    FlowgateClient.Builder builder = FlowgateClient.builder(server.url()).retries(0);
    with.accept(builder);
    try (FlowgateClient client = builder.build()) {
      FlowgateApiException error = catchThrowableOfType(FlowgateApiException.class, () -> client.getRun("w", "r"));
      assertThat(error).isNotNull();
      return error;
    }
  }

  @Nested
  @DisplayName("an answer that is not the service's")
  class NotTheServices {
    static Stream<Arguments> strange() {
      String page = "<html><style>b{}</style><title>502 Bad\n Gateway</title><hr>nginx</html>";
      return Stream.of(
          Arguments.of("the error page of a proxy", 502, HTML, page,
              List.of("answered 502", "text/html", "It says: 502 Bad Gateway nginx", "check baseUrl", page)),
          Arguments.of("a page of something else", 200, HTML, "<h1>It works!</h1>", List.of("answered 200", "It works!")),
          Arguments.of("JSON of something else", 200, JSON, "{\"hello\":\"world\"}", List.of("answered 200", "application/json")),
          Arguments.of("a list", 200, JSON, "[]", List.of("answered 200")),
          Arguments.of("an empty answer", 200, Map.of(), "", List.of("answered 200", "no content type")),
          Arguments.of("JSON that is cut", 200, JSON, "{\"runId\":\"r\",\"sta", List.of("answered 200")),
          Arguments.of("two answers", 200, JSON, RetriesTest.RECORD + RetriesTest.RECORD,
              List.of("answered 200", "something follows the object")),
          Arguments.of("another service's error", 404, JSON, "{\"detail\":\"Not Found\"}", List.of("answered 404", "Not Found")),
          Arguments.of("one whose error is no text", 400, JSON, "{\"error\":{\"a\":1}}", List.of("answered 400")),
          Arguments.of("more levels than are read", 200, JSON, "{\"runId\":" + "[".repeat(2_000) + "]".repeat(2_000) + "}",
              List.of("answered 200", "more than 1000 levels")));
    }

    @ParameterizedTest(name = "is said to be that: {0}")
    @MethodSource("strange")
    void isSaidToBeThat(String name, int status, Map<String, String> headers, String body, List<String> sentences) {
      FlowgateApiException error = refused(status, headers, body);
      assertThat(error.status()).isEqualTo(status);
      assertThat(error.getMessage()).contains(server.url()).contains(sentences).contains(body);
      assertThat(error.body()).isEqualTo(body);
    }

    @Test
    @DisplayName("says little of a large page, beside the page itself, of which a megabyte is kept")
    void largePage() {
      FlowgateApiException error = refused(500, HTML, "x".repeat(3_000_000));
      assertThat(error.error().length()).isLessThan(600);
      assertThat(error.body()).hasSize(1_048_576);
      assertThat(error.getMessage().length()).isBetween(1_048_576, 1_050_000);
      assertThat(error.getMessage()).endsWith("(cut: it has 3000000 characters)");
    }

    @ParameterizedTest(name = "is not followed where it leads elsewhere: {0}")
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void isNotFollowed(int status) throws IOException {
      try (StubServer elsewhere = new StubServer()) {
        Map<String, String> headers = Map.of("location", elsewhere.url() + "/workflows/w/runs/r");
        server.answer((request, wire) -> wire.reply(status, headers, "x".repeat(100_000)));
        FlowgateApiException error = refused(builder -> builder.header("x-key", "hush"));
        assertThat(error.status()).isEqualTo(status);
        assertThat(error.getMessage()).contains(elsewhere.url(), "does not follow").doesNotContain("hush");
        assertThat(elsewhere.requests()).isEmpty();
      }
    }

    static Stream<Arguments> tooLong() {
      String body = "{\"runId\":\"r\",\"status\":\"completed\",\"result\":\"" + "x".repeat(100_000) + "\"}";
      return Stream.of(
          Arguments.of("with its length", (StubServer.Behaviour) (request, wire) -> wire.json(200, body)),
          Arguments.of("in pieces", (StubServer.Behaviour) (request, wire) -> wire.chunked(body, 1_000)),
          Arguments.of("in pieces of a byte", (StubServer.Behaviour) (request, wire) -> wire.chunked(body.substring(0, 11_000), 1)));
    }

    @ParameterizedTest(name = "is not read to its end when it is too long, sent {0}")
    @MethodSource("tooLong")
    void isNotReadToItsEnd(String name, StubServer.Behaviour behaviour) {
      server.answer(behaviour);
      FlowgateApiException error = refused(builder -> builder.maxResponseBytes(10_000));
      assertThat(error.getMessage()).contains("more than 10000 bytes: raise maxResponseBytes");
    }

    @Test
    @DisplayName("may come in pieces, begin with a mark of its byte order, and hold letters of all scripts that are cut in between")
    void inPieces() {
      String record = "{\"runId\":\"ü日本🚀\",\"status\":\"completed\"}";
      server.answer((request, wire) -> wire.chunked("\uFEFF" + record, 1));
      try (FlowgateClient client = new FlowgateClient(server.url())) {
        assertThat(client.getRun("w", "r")).isEqualTo(record);
      }
    }
  }

  @Nested
  @DisplayName("an error of the service")
  class OfTheService {
    @Test
    @DisplayName("keeps its status, error, type, details, detail, code and body")
    void keepsAll() {
      String body =
          "{\"error\":\"It is odd\",\"type\":\"OddError\",\"details\":[{\"path\":\"a\",\"message\":\"a is odd\",\"n\":null}],"
              + "\"detail\":\"Even would do.\",\"code\":\"odd\"}";
      FlowgateApiException error = refused(400, JSON, body);
      assertThat(error.status()).isEqualTo(400);
      assertThat(error.error()).isEqualTo("It is odd");
      assertThat(error.type()).isEqualTo("OddError");
      assertThat(error.detail()).isEqualTo("Even would do.");
      assertThat(error.code()).isEqualTo("odd");
      assertThat(error.details()).hasSize(1);
      assertThat(error.details().get(0)).containsEntry("path", "a").containsEntry("n", null);
      assertThat(error.body()).isEqualTo(body);
      assertThat(error.getMessage()).isEqualTo("It is odd\nEven would do.\nThe answer: " + body);
      assertThatThrownBy(() -> error.details().get(0).put("x", 1)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @DisplayName("names every fault, also those beyond the twenty of the sentence")
    void namesEveryFault() {
      String details =
          IntStream.range(0, 25)
              .mapToObj(i -> "{\"path\":\"/" + i + "\",\"line\":" + (i + 1) + ",\"column\":3,\"message\":\"fault " + i + "\"}")
              .collect(Collectors.joining(","));
      String lines = IntStream.range(0, 20).mapToObj(i -> "\\nat " + (i + 1) + ":3: fault " + i).collect(Collectors.joining());
      String body =
          "{\"error\":\"The workflow cannot be loaded:" + lines + "\\nand 5 more in details\",\"type\":\"YamlLoadError\","
              + "\"details\":[" + details + "]}";
      FlowgateApiException error = refused(400, JSON, body);
      assertThat(error).isInstanceOf(FlowgateValidationException.class);
      String said = error.getMessage().substring(0, error.getMessage().indexOf("\nThe answer: "));
      assertThat(said.lines()).hasSize(26).endsWith("at 25:3: fault 24");
      assertThat(said).doesNotContain("in details");
      assertThat(((FlowgateValidationException) error).faults()).hasSize(25);
      assertThat(((FlowgateValidationException) error).faults().get(7).line()).isEqualTo(8);
    }

    @Test
    @DisplayName("may be hostile and stays small")
    void mayBeHostile() {
      String details = IntStream.range(0, 10_000).mapToObj(i -> "{\"message\":1}").collect(Collectors.joining(","));
      String body =
          "{\"error\":\"" + "x".repeat(1_000_000) + "\",\"details\":[" + details + "],\"type\":7,\"code\":null,\"detail\":[]}";
      FlowgateApiException error = refused(400, JSON, body);
      assertThat(error.error()).hasSize(65_536);
      assertThat(error.details()).hasSize(100);
      assertThat(error.getMessage().length()).isLessThan(1_300_000);
      assertThat(error.type()).isNull();
      assertThat(error.code()).isNull();
      assertThat(error.detail()).isNull();
    }

    @Test
    @DisplayName("whose details are deep and many is shown as far as a line goes")
    void deepDetails() {
      String deep = "{\"a\":".repeat(900) + "1" + "}".repeat(900);
      FlowgateApiException error = refused(409, JSON, "{\"error\":\"no\",\"details\":[" + deep + "," + deep + "]}");
      assertThat(error.error()).isEqualTo("no");
      assertThat(error.getMessage()).startsWith("no\n{\"a\":{\"a\":");
    }
  }

  @Test
  @DisplayName("a service that cannot serve tells its health by 503")
  void healthBy503() {
    String health = "{\"ok\":false,\"workflows\":[],\"version\":\"0.1.0\",\"error\":\"The service is shutting down\"}";
    server.answer((request, wire) -> wire.json(503, health));
    try (FlowgateClient client = new FlowgateClient(server.url())) {
      assertThat(client.health()).isEqualTo(health);
      assertThat(client.typed().health().ok()).isFalse();
      assertThat(client.typed().health().error()).isEqualTo("The service is shutting down");
    }
    assertThat(server.requests()).hasSize(3);
  }
}
