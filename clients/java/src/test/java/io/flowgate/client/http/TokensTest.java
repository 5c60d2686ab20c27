package io.flowgate.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flowgate.client.AuditItem;
import io.flowgate.client.AuditQuery;
import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.FlowgateException;
import io.flowgate.client.FlowgateUnreachableException;
import io.flowgate.client.MakeKeyOptions;
import io.flowgate.client.Page;
import io.flowgate.client.PublicEvent;
import io.flowgate.client.RetryOptions;
import io.flowgate.client.Watch;
import io.flowgate.client.stub.StubServer;
import io.flowgate.client.stub.StubServer.Behaviour;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes with each request, and what is done where the service does not take it. */
@Timeout(30)
class TokensTest {
  private static final String SECRET = "fgk_0123456789abcdef_hush-hush";
  private static final String UNAUTHORIZED = "{\"error\":\"This needs a valid key or token\",\"code\":\"unauthorized\"}";
  private static final String NO_LONGER = "event: end\ndata: {\"status\":\"unauthorized\"}\n\n";
  private static final String END = "event: end\ndata: {\"status\":\"completed\"}\n\n";
  private static final RetryOptions QUICK =
      RetryOptions.defaults().base(Duration.ofMillis(1)).max(Duration.ofMillis(5)).maxRetryAfter(Duration.ofMillis(10));

  private StubServer server;

  @BeforeEach
  void start() throws IOException {
    server = new StubServer();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private FlowgateClient.Builder builder() {
    return FlowgateClient.builder(server.url()).retries(QUICK);
  }

  /** Tokens one after the other; the last one from then on. */
  private static Supplier<String> inTurn(AtomicInteger asked, String... tokens) {
    return () -> tokens[Math.min(asked.getAndIncrement(), tokens.length - 1)];
  }

  private static Behaviour onlyFor(List<String> good, Behaviour behaviour) {
    return (request, wire) -> {
      String given = request.headers().getOrDefault("authorization", "").replace("Bearer ", "");
      if (good.contains(given)) behaviour.answer(request, wire);
      else wire.json(401, UNAUTHORIZED);
    };
  }

  private static Behaviour healthy() {
    return (request, wire) -> wire.json(200, "{\"ok\":true}");
  }

  private static String frame(int seq) {
    return "id: " + seq + "\nevent: unit.finished\ndata: {\"runId\":\"r\",\"workflowId\":\"w\",\"seq\":" + seq
        + ",\"at\":1,\"type\":\"unit.finished\",\"data\":{}}\n\n";
  }

  private static void stream(StubServer.Wire wire, String text) throws IOException {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    wire.raw("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n");
    wire.raw(Integer.toHexString(bytes) + "\r\n" + text + "\r\n0\r\n\r\n");
  }

  @Test
  void aTokenAndANamespaceGoWithEveryRequest() {
    server.answer(healthy());
    try (FlowgateClient client = builder().token(SECRET).namespace("billing").build()) {
      client.health();
      client.typed().health();
    }
    assertThat(server.headers("authorization")).containsExactly("Bearer " + SECRET, "Bearer " + SECRET);
    assertThat(server.headers("flowgate-namespace")).containsExactly("billing", "billing");
  }

  @Test
  void aSupplierIsAskedOnceByManyCallsAndAgainOnceForAllWhereItsTokenIsRefused() {
    AtomicInteger asked = new AtomicInteger();
    server.answer(onlyFor(List.of("new"), healthy()));
    try (FlowgateClient client = builder().tokenSupplier(inTurn(asked, "old", "new")).build()) {
      List<CompletableFuture<?>> calls = new ArrayList<>();
      IntStream.range(0, 5).forEach(call -> calls.add(client.async().health()));
      calls.forEach(CompletableFuture::join);
    }
    assertThat(asked).hasValue(2);
    assertThat(server.headers("authorization").stream().filter("Bearer new"::equals)).hasSize(5);
  }

  @Test
  void aTokenThatIsRefusedAgainEndsTheCall() {
    AtomicInteger asked = new AtomicInteger();
    server.answer((request, wire) -> wire.json(401, UNAUTHORIZED));
    try (FlowgateClient client = builder().tokenSupplier(inTurn(asked, "one", "two", "three")).build()) {
      assertThatThrownBy(client::health)
          .isInstanceOfSatisfying(FlowgateApiException.class, error -> assertThat(error.status()).isEqualTo(401));
    }
    assertThat(server.headers("authorization")).containsExactly("Bearer one", "Bearer two");
    try (FlowgateClient client = builder().token(SECRET).build()) {
      assertThatThrownBy(client::health).isInstanceOf(FlowgateApiException.class);
    }
    assertThat(server.requests()).hasSize(3);
  }

  @Test
  void aSupplierThatFailsEndsTheCallAndIsAskedAgainByTheNext() {
    server.answer(healthy());
    AtomicInteger asked = new AtomicInteger();
    Supplier<String> tokens =
        () -> {
          if (asked.getAndIncrement() == 0) throw new IllegalStateException("the vault is shut");
          return SECRET;
        };
    try (FlowgateClient client = builder().tokenSupplier(tokens).build()) {
      assertThatThrownBy(client::health).isInstanceOf(FlowgateException.class).hasRootCauseMessage("the vault is shut");
      assertThat(client.typed().health().ok()).isTrue();
    }
  }

  @Test
  void aSupplierThatNeverAnswersDoesNotHoldACallForLongerThanItMayTake() {
    CountDownLatch never = new CountDownLatch(1);
    Supplier<String> tokens =
        () -> {
          try {
            never.await();
          } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
          }
          return SECRET;
        };
    try (FlowgateClient client = builder().tokenSupplier(tokens).timeout(Duration.ofMillis(50)).build()) {
      assertThatThrownBy(client::health).isInstanceOf(FlowgateUnreachableException.class);
    } finally {
      never.countDown();
    }
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void aTokenStandsInNoErrorAndIsNotSentElsewhere() throws IOException {
    try (StubServer other = new StubServer()) {
      server.answerInTurn(
          (request, wire) -> wire.json(500, "<h1>" + request.headers().get("authorization") + "</h1>"),
          (request, wire) -> wire.reply(307, Map.of("location", other.url()), ""));
      try (FlowgateClient client = builder().token(SECRET).build()) {
        Throwable echoed = catchThrowable(client::health);
        assertThat(echoed).hasMessageContaining("[token]");
        assertThat(echoed.toString()).doesNotContain("hush");
        assertThat(((FlowgateApiException) echoed).body()).doesNotContain("hush");
        assertThat(catchThrowable(client::health)).hasMessageContaining("sends callers elsewhere");
      }
      assertThat(other.requests()).isEmpty();
    }
    assertThatThrownBy(() -> builder().token(SECRET + "\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("hush");
    try (FlowgateClient client = builder().tokenSupplier(() -> SECRET + "\n").build()) {
      assertThatThrownBy(client::health).isInstanceOf(FlowgateException.class).hasMessageNotContaining("hush");
    }
  }

  @Test
  void whatCannotBeMeantIsRefused() {
    assertThatThrownBy(() -> builder().namespace("Billing")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder().token("")).isInstanceOf(IllegalArgumentException.class);
    FlowgateClient.Builder both = builder().token(SECRET).header("Authorization", "Basic x");
    assertThatThrownBy(both::build).isInstanceOf(IllegalStateException.class).hasMessageContaining("leave one out");
  }

  @Test
  void aKeyIsAskedForOnceHoweverThatEnds() {
    server.answer((request, wire) -> wire.cut());
    try (FlowgateClient client = builder().token(SECRET).build()) {
      assertThatThrownBy(() -> client.makeKey(MakeKeyOptions.defaults()))
          .isInstanceOf(FlowgateUnreachableException.class);
    }
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void theAuditIsReadByWhatIsKnownOfIt() {
    String act =
        "{\"id\":\"a\",\"at\":5,\"action\":\"gate.decide\",\"namespace\":\"billing\",\"by\":{\"id\":\"k\",\"owner\":\"ann\","
            + "\"via\":\"http\",\"auth\":\"key\"},\"workflowId\":\"w\",\"runId\":\"r\",\"seq\":7,\"subject\":null,\"target\":null,"
            + "\"facts\":{\"approved\":true}}";
    server.answer((request, wire) -> wire.json(200, "{\"items\":[" + act + "],\"next\":\"c1\"}"));
    AuditQuery query =
        AuditQuery.defaults().owner("ann").since(Instant.ofEpochMilli(1)).until(Instant.ofEpochMilli(9)).limit(3);
    try (FlowgateClient client = builder().token(SECRET).build()) {
      Page<AuditItem> page = client.typed().listAudit(query);
      assertThat(page.next()).isEqualTo("c1");
      assertThat(page.items())
          .containsExactly(
              new AuditItem(
                  "a", 5, "gate.decide", "billing", new AuditItem.By("k", "ann", "http", "key"), "w", "r", 7L, null, null,
                  Map.of("approved", true)));
      assertThat(client.listAudit(query)).isEqualTo(page.json());
      assertThat(client.async().listAudit(query).join()).isEqualTo(page);
    }
    assertThat(server.requests().get(0).target()).isEqualTo("/audit?owner=ann&after=1&before=9&limit=3");
  }

  @Test
  void aWatchWhoseTokenIsNoLongerGoodGoesOnWithAnother() {
    AtomicInteger asked = new AtomicInteger();
    server.answer(
        onlyFor(
            List.of("one", "three"),
            (request, wire) -> {
              boolean isFirst = request.headers().get("last-event-id") == null;
              stream(wire, isFirst ? frame(1) + NO_LONGER : frame(2) + END);
            }));
    List<Integer> told = new ArrayList<>();
    try (FlowgateClient client = builder().tokenSupplier(inTurn(asked, "one", "two", "three")).build();
        Watch<PublicEvent> watch = client.typed().watchRun("w", "r")) {
      while (watch.hasNext()) told.add((int) watch.next().seq());
    }
    assertThat(told).containsExactly(1, 2);
    assertThat(server.headers("authorization")).containsExactly("Bearer one", "Bearer two", "Bearer three");
    assertThat(server.headers("last-event-id")).containsExactly(null, "1", "1");
  }

  @Test
  void aWatchWithOneTokenAloneEndsWithAClearError() {
    server.answer((request, wire) -> stream(wire, frame(1) + NO_LONGER));
    try (FlowgateClient client = builder().token(SECRET).build();
        Watch<PublicEvent> watch = client.typed().watchRun("w", "r")) {
      assertThat(watch.next().seq()).isEqualTo(1);
      assertThatThrownBy(watch::next)
          .isInstanceOfSatisfying(FlowgateApiException.class, error -> assertThat(error.status()).isEqualTo(401))
          .hasMessageContaining("tokenSupplier");
    }
    assertThat(server.requests()).hasSize(1);
  }
}
