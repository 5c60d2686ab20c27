package io.flowgate.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.flowgate.client.CallOptions;
import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.FlowgateUnreachableException;
import io.flowgate.client.FlowgateUnreachableException.Reason;
import io.flowgate.client.RespondOptions;
import io.flowgate.client.RetryOptions;
import io.flowgate.client.StartOptions;
import io.flowgate.client.stub.ManualTime;
import io.flowgate.client.stub.StubServer;
import io.flowgate.client.stub.StubServer.Behaviour;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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

class RetriesTest {
  static final String RECORD =
      "{\"runId\":\"r\",\"workflowId\":\"w\",\"status\":\"completed\",\"createdAt\":1,\"updatedAt\":2}";
  static final Behaviour GOOD = (request, wire) -> wire.json(200, RECORD);
  static final Behaviour CUT = (request, wire) -> wire.cut();
  static final Behaviour CUT_IN_THE_BODY =
      (request, wire) -> {
        wire.raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{\"runId\":");
        wire.cut();
      };
  static final Behaviour CUT_IN_A_PIECE =
      (request, wire) -> {
        wire.raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\n{\"runId\":");
        wire.cut();
      };

  private final ManualTime time = new ManualTime(Duration.ofSeconds(60));
  private StubServer server;
  private FlowgateClient client;

  static Behaviour busy(int status, String... retryAfter) {
    Map<String, String> headers = retryAfter.length == 0 ? Map.of() : Map.of("retry-after", retryAfter[0]);
    return (request, wire) -> wire.reply(status, headers, "{\"error\":\"not now\"}");
  }

  @BeforeEach
  void start() throws IOException {
    server = new StubServer();
    server.answer(GOOD);
    client = FlowgateClient.builder(server.url()).clock(time).scheduler(time.scheduler()).build();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
    time.close();
  }

  private List<String> keys() {
    return server.headers("idempotency-key");
  }

  @Nested
  @DisplayName("a call without a key that is refused as if an earlier try had been carried out")
  class WithoutAKey {
    static final String MAY_BE_DONE = "An earlier try of this call was not answered, and may have been carried out";

    static Stream<Arguments> calls() {
      return Stream.of(
          Arguments.of("deleteWorkflow", 404, "unknown-workflow", (Consumer<FlowgateClient>) client -> client.deleteWorkflow("w")),
          Arguments.of("importRun", 409, "run-known", (Consumer<FlowgateClient>) client -> client.importRun("an export")),
          Arguments.of("revokeKey", 404, "unknown-key", (Consumer<FlowgateClient>) client -> client.revokeKey("k")));
    }

    private FlowgateApiException refusal(Consumer<FlowgateClient> call, Behaviour... answers) {
      server.answerInTurn(answers);
      return catchThrowableOfType(FlowgateApiException.class, () -> call.accept(client));
    }

    private static Behaviour refused(int status, String code, String more) {
      return (request, wire) -> wire.json(status, "{\"error\":\"refused\",\"code\":\"" + code + "\"" + more + "}");
    }

    @ParameterizedTest(name = "{0} says so where an answer was lost, also where more was tried between")
    @MethodSource("calls")
    void lost(String name, int status, String code, Consumer<FlowgateClient> call) {
      for (Behaviour lost : List.of(CUT, busy(502), busy(504))) {
        FlowgateApiException error = refusal(call, lost, busy(503), refused(status, code, ""));
        assertThat(error.status()).isEqualTo(status);
        assertThat(error.code()).isEqualTo(code);
        assertThat(error.error()).isEqualTo("refused");
        assertThat(error.getMessage()).startsWith("refused\n" + MAY_BE_DONE + "\n");
      }
      FlowgateApiException more = refusal(call, CUT, refused(status, code, ",\"detail\":\"Look again.\""));
      assertThat(more.getMessage()).startsWith("refused\nLook again.\n" + MAY_BE_DONE + "\n");
    }

    @ParameterizedTest(name = "{0} does not where nothing was lost, or where it is refused for another reason")
    @MethodSource("calls")
    void notLost(String name, int status, String code, Consumer<FlowgateClient> call) {
      Behaviour refused = refused(status, code, "");
      assertThat(refusal(call, refused)).hasMessageNotContaining(MAY_BE_DONE);
      assertThat(refusal(call, busy(429), busy(503), refused)).hasMessageNotContaining(MAY_BE_DONE);
      assertThat(refusal(call, CUT, refused(403, "forbidden", ""))).hasMessageNotContaining(MAY_BE_DONE);
    }

    @Test
    @DisplayName("is told as it is where the call only reads")
    void reading() {
      Consumer<FlowgateClient> reading = client -> client.getWorkflow("w", null);
      assertThat(refusal(reading, CUT, refused(404, "unknown-workflow", ""))).hasMessageNotContaining(MAY_BE_DONE);
    }
  }

  @Nested
  @DisplayName("a call is tried again")
  class Again {
    static Stream<Arguments> passing() {
      return Stream.of(
          Arguments.of("429", busy(429)),
          Arguments.of("502", busy(502)),
          Arguments.of("503", busy(503)),
          Arguments.of("504", busy(504)),
          Arguments.of("a connection that is cut", CUT),
          Arguments.of("a body that is cut", CUT_IN_THE_BODY),
          Arguments.of("a body that is cut in a piece", CUT_IN_A_PIECE));
    }

    @ParameterizedTest(name = "after {0}, under the key that it had")
    @MethodSource("passing")
    void afterWhatPasses(String name, Behaviour behaviour) {
      server.answerInTurn(behaviour, behaviour, behaviour, GOOD);
      assertThat(client.startWorkflow("w", null, true)).isEqualTo(RECORD);
      assertThat(server.requests()).hasSize(4);
      assertThat(new HashSet<>(keys())).hasSize(1);
      assertThat(keys().get(0)).matches("[0-9a-f]{32}");
      assertThat(server.requests()).allMatch(request -> request.body().equals("{\"input\":{},\"sync\":true}"));
    }

    static Stream<Arguments> keyed() {
      return Stream.of(
          Arguments.of("resume", (Consumer<FlowgateClient>) client -> client.resume("w", "r", Optional.empty())),
          Arguments.of("cancel", (Consumer<FlowgateClient>) client -> client.cancel("w", "r", null)),
          Arguments.of("pause", (Consumer<FlowgateClient>) client -> client.pause("w", "r", "ann")),
          Arguments.of("respondHitl", (Consumer<FlowgateClient>) client -> client.respondHitl("w", "r", true, null)));
    }

    @ParameterizedTest(name = "and so is {0}")
    @MethodSource("keyed")
    void whateverChangesARun(String name, Consumer<FlowgateClient> call) {
      server.answerInTurn(busy(503), GOOD);
      call.accept(client);
      assertThat(keys()).hasSize(2);
      assertThat(new HashSet<>(keys())).hasSize(1);
      call.accept(client);
      assertThat(new HashSet<>(keys())).hasSize(2);
    }

    @Test
    @DisplayName("under the key that the caller names")
    void keyOfTheCaller() {
      server.answerInTurn(CUT, GOOD);
      client.typed().startWorkflow("w", null, StartOptions.defaults().idempotencyKey("mine"));
      client.typed().respondHitl("w", "r", true, RespondOptions.defaults().idempotencyKey("mine, too"));
      assertThat(keys()).containsExactly("mine", "mine", "mine, too");
    }

    @Test
    @DisplayName("as often as is said, and then fails as the last try did")
    void asOftenAsIsSaid() {
      server.answer(busy(503));
      assertThatThrownBy(() -> client.getRun("w", "r"))
          .isInstanceOfSatisfying(
              FlowgateApiException.class,
              error -> {
                assertThat(error.status()).isEqualTo(503);
                assertThat(error.error()).isEqualTo("not now");
              });
      assertThat(server.requests()).hasSize(4);
      try (FlowgateClient once = FlowgateClient.builder(server.url()).retries(0).build()) {
        assertThatThrownBy(() -> once.getRun("w", "r")).isInstanceOf(FlowgateApiException.class);
      }
      assertThat(server.requests()).hasSize(5);
    }

    @Test
    @DisplayName("after pauses that double up to a bound, up to half of each left to chance")
    void pauses() {
      server.answer(busy(503));
      RetryOptions retries = RetryOptions.defaults().count(6).max(Duration.ofSeconds(2));
      try (FlowgateClient patient =
          FlowgateClient.builder(server.url()).retries(retries).clock(time).scheduler(time.scheduler()).build()) {
        assertThatThrownBy(() -> patient.getRun("w", "r")).hasMessageContaining("not now");
      }
      long[] longest = {250, 500, 1_000, 2_000, 2_000, 2_000};
      assertThat(time.pauses()).hasSize(longest.length);
      for (int i = 0; i < longest.length; i++) {
        assertThat(time.pauses().get(i).toMillis()).isBetween(longest[i] / 2 - 1, longest[i]);
      }
    }

    @Test
    @DisplayName("not before the time that Retry-After names in seconds")
    void retryAfterSeconds() {
      server.answerInTurn(busy(429, "17"), GOOD);
      assertThat(client.getRun("w", "r")).isEqualTo(RECORD);
      assertThat(time.pauses()).containsExactly(Duration.ofSeconds(17));
    }

    @Test
    @DisplayName("not before the date that Retry-After names")
    void retryAfterDate() {
      server.answerInTurn(busy(429, "Thu, 01 Jan 2026 00:00:21 GMT"), GOOD);
      assertThat(client.getRun("w", "r")).isEqualTo(RECORD);
      assertThat(time.pauses()).containsExactly(Duration.ofSeconds(21));
    }

    @ParameterizedTest(name = "after the usual pause where Retry-After is {0}")
    @ValueSource(strings = {"Wed, 21 Oct 2015 07:28:00 GMT", "soon", "", "-1", "0"})
    void retryAfterOver(String retryAfter) {
      server.answerInTurn(busy(503, retryAfter), GOOD);
      assertThat(client.getRun("w", "r")).isEqualTo(RECORD);
      assertThat(time.longestPause()).isLessThanOrEqualTo(Duration.ofMillis(250));
    }

    @ParameterizedTest(name = "never where Retry-After asks for more than the bound: {0}")
    @ValueSource(strings = {"3600", "Thu, 01 Jan 2026 01:00:00 GMT"})
    void retryAfterBeyondTheBound(String retryAfter) {
      server.answer(busy(503, retryAfter));
      FlowgateApiException error = catchThrowableOfType(FlowgateApiException.class, () -> client.getRun("w", "r"));
      assertThat(error.retryAfter()).isEqualTo(Duration.ofHours(1));
      assertThat(error.status()).isEqualTo(503);
      assertThat(server.requests()).hasSize(1);
    }

    @Test
    @DisplayName("never where Retry-After has more digits than any time")
    void retryAfterWithoutEnd() {
      server.answer(busy(503, "9".repeat(400)));
      assertThatThrownBy(() -> client.getRun("w", "r")).isInstanceOf(FlowgateApiException.class);
      assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest(name = "never after {0}")
    @ValueSource(ints = {400, 401, 403, 404, 409, 413, 500, 501})
    void neverAfter(int status) {
      server.answer(busy(status));
      FlowgateApiException error =
          catchThrowableOfType(FlowgateApiException.class, () -> client.startWorkflow("w", null, false));
      assertThat(error.status()).isEqualTo(status);
      assertThat(error.error()).isEqualTo("not now");
      assertThat(server.requests()).hasSize(1);
    }

    @Test
    @DisplayName("not any more once it was cancelled")
    void notOnceCancelled() throws Exception {
      ManualTime still = new ManualTime(Duration.ZERO);
      try (still;
          FlowgateClient waiting =
              FlowgateClient.builder(server.url()).clock(still).scheduler(still.scheduler()).build()) {
        server.answer(busy(503, "20"));
        var call = waiting.async().getRun("w", "r");
        // The end of the call's time, and the pause.
        while (still.scheduler().getQueue().size() < 2) Thread.sleep(5);
        call.cancel(true);
        while (!still.scheduler().getQueue().isEmpty()) Thread.sleep(5);
        assertThat(server.requests()).hasSize(1);
      }
    }
  }

  @Nested
  @DisplayName("a long wait that somebody on the way cuts")
  class LongWaits {
    static Stream<Arguments> endings() {
      return Stream.of(Arguments.of("as a connection that breaks", CUT), Arguments.of("as a proxy does", busy(504)));
    }

    @ParameterizedTest(name = "{0}, is taken up again under the same key, however often")
    @MethodSource("endings")
    void isTakenUpAgain(String name, Behaviour ending) {
      Behaviour cutLater =
          (request, wire) -> {
            time.pass(Duration.ofSeconds(11));
            ending.answer(request, wire);
          };
      try (FlowgateClient patient =
          FlowgateClient.builder(server.url()).retries(1).clock(time).scheduler(time.scheduler()).build()) {
        server.answerInTurn(cutLater, cutLater, cutLater, cutLater, cutLater, cutLater, GOOD);
        assertThat(patient.startWorkflow("w", null, true)).isEqualTo(RECORD);
      }
      assertThat(server.requests()).hasSize(7);
      assertThat(new HashSet<>(keys())).hasSize(1);
    }

    @Test
    @DisplayName("has no bound of its own, but the one that the call names")
    void hasNoBoundOfItsOwn() throws Exception {
      server.answer(server.never());
      try (FlowgateClient hasty = FlowgateClient.builder(server.url()).timeout(Duration.ofMillis(50)).build()) {
        StartOptions sync = StartOptions.defaults().sync(true);
        var waiting = hasty.async().startWorkflow("w", null, sync);
        assertThatThrownBy(() -> hasty.typed().startWorkflow("w", null, sync.timeout(Duration.ofMillis(300))))
            .isInstanceOfSatisfying(
                FlowgateUnreachableException.class, error -> assertThat(error.reason()).isEqualTo(Reason.TIMEOUT));
        assertThat(waiting).isNotDone();
        waiting.cancel(true);
      }
    }
  }

  @Nested
  @DisplayName("nobody who answers")
  class Nobody {
    @Test
    @DisplayName("is said with the address, the reason and no secret")
    void isSaid() throws IOException {
      server.close();
      try (FlowgateClient lonely =
          FlowgateClient.builder(server.url() + "/api/")
              .header("authorization", "Bearer hush")
              .clock(time)
              .scheduler(time.scheduler())
              .build()) {
        FlowgateUnreachableException error =
            catchThrowableOfType(FlowgateUnreachableException.class, lonely::health);
        assertThat(error.reason()).isEqualTo(Reason.CONNECT);
        assertThat(error).hasCauseInstanceOf(IOException.class);
        assertThat(error.getMessage())
            .containsIgnoringCase("the service is unreachable at " + server.url() + "/api (connection refused)");
        assertThat(textOf(error)).doesNotContain("hush");
        assertThat(time.pauses()).hasSize(3);
      }
    }

    @Test
    @DisplayName("under a name that is not known is said, too")
    void unknownName() {
      try (FlowgateClient lost = FlowgateClient.builder("http://nobody.invalid").retries(0).build()) {
        FlowgateUnreachableException error = catchThrowableOfType(FlowgateUnreachableException.class, lost::health);
        assertThat(error.reason()).isEqualTo(Reason.DNS);
        assertThat(error.getMessage()).contains("unreachable at http://nobody.invalid (the name of the host is not known)");
      }
    }

    @Test
    @DisplayName("by TLS is said, too")
    void noTls() {
      server.answer((request, wire) -> wire.raw("no TLS here"));
      try (FlowgateClient trusting =
          FlowgateClient.builder(server.url().replace("http", "https")).retries(0).build()) {
        FlowgateUnreachableException error = catchThrowableOfType(FlowgateUnreachableException.class, trusting::health);
        assertThat(error.getMessage()).contains("unreachable at https://127.0.0.1");
        assertThat(error.reason()).isIn(Reason.TLS, Reason.BROKEN);
      }
    }

    @Test
    @DisplayName("in HTTP is said, too")
    void noHttp() {
      server.answer((request, wire) -> {
        wire.raw("SSH-2.0-something\r\n\r\n");
        wire.cut();
      });
      try (FlowgateClient plain = FlowgateClient.builder(server.url()).retries(0).build()) {
        FlowgateUnreachableException error = catchThrowableOfType(FlowgateUnreachableException.class, plain::health);
        assertThat(error.reason()).isEqualTo(Reason.BROKEN);
      }
    }

    @Test
    @DisplayName("in time is said, too, and the connection is let go")
    void inTime() throws Exception {
      try (FlowgateClient hasty = new FlowgateClient(server.url())) {
        // A first call, so that the time of the second is not over before it was sent.
        hasty.getRun("w", "r");
        server.answer(server.never());
        CallOptions soon = CallOptions.defaults().timeout(Duration.ofMillis(100));
        FlowgateUnreachableException error =
            catchThrowableOfType(FlowgateUnreachableException.class, () -> hasty.typed().getRun("w", "r", soon));
        assertThat(error.reason()).isEqualTo(Reason.TIMEOUT);
        assertThat(error.getMessage())
            .contains("The service is unreachable at " + server.url() + ": it did not answer within 100 ms");
        assertThat(Arrays.toString(error.getStackTrace())).contains("RetriesTest");
        assertThat(server.awaitHangUp()).isTrue();
      }
    }

    @Test
    @DisplayName("to the end in time is said, too, and the connection is let go")
    void inTimeWithTheBody() throws Exception {
      server.answer((request, wire) -> {
        wire.raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"runId\":");
        server.never().answer(request, wire);
      });
      try (FlowgateClient hasty = FlowgateClient.builder(server.url()).timeout(Duration.ofMillis(200)).build()) {
        assertThatThrownBy(() -> hasty.getRun("w", "r")).hasMessageContaining("did not answer within 200 ms");
        assertThat(server.awaitHangUp()).isTrue();
      }
    }
  }

  private static String textOf(Throwable error) {
    StringBuilder text = new StringBuilder();
    for (Throwable at = error; at != null; at = at.getCause()) {
      text.append(at).append(Arrays.toString(at.getStackTrace()));
    }
    return text.toString();
  }
}
