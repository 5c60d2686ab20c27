package io.flowgate.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flowgate.client.EventView;
import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.FlowgateException;
import io.flowgate.client.FlowgateInterruptedException;
import io.flowgate.client.FlowgateUnreachableException;
import io.flowgate.client.GateItem;
import io.flowgate.client.GatesQuery;
import io.flowgate.client.ListChange;
import io.flowgate.client.PublicEvent;
import io.flowgate.client.RunItem;
import io.flowgate.client.RunsQuery;
import io.flowgate.client.Watch;
import io.flowgate.client.WatchOptions;
import io.flowgate.client.stub.ManualTime;
import io.flowgate.client.stub.StubServer;
import io.flowgate.client.stub.StubServer.Behaviour;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams of a server that breaks them, is silent, or refuses. */
@Timeout(30)
class WatchTest {
  private static final String HEAD =
      "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n";
  private static final String END = "event: end\ndata: {\"status\":\"completed\"}\n\n";
  private final ManualTime time = new ManualTime(Duration.ofSeconds(60));
  private StubServer server;
  private FlowgateClient client;

  @BeforeEach
  void start() throws IOException {
    server = new StubServer();
    client = FlowgateClient.builder(server.url()).clock(time).scheduler(time.scheduler()).build();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
    time.close();
  }

  private static String piece(String text) {
    return Integer.toHexString(text.getBytes(StandardCharsets.UTF_8).length) + "\r\n" + text + "\r\n";
  }

  private static String frame(int seq) {
    return "id: " + seq + "\nevent: unit.finished\ndata: " + event(seq) + "\n\n";
  }

  private static String event(int seq) {
    return "{\"runId\":\"r\",\"workflowId\":\"w\",\"seq\":" + seq + ",\"at\":1,\"type\":\"unit.finished\",\"data\":{}}";
  }

  /** Sends it all, and ends as an answer does. */
  private static Behaviour sends(String... texts) {
    return (request, wire) -> {
      wire.raw(HEAD);
      for (String text : texts) wire.raw(piece(text));
      wire.raw("0\r\n\r\n");
    };
  }

  /** Sends it all, and breaks in the middle of a piece. */
  private static Behaviour breaksAfter(String text) {
    return (request, wire) -> {
      wire.raw(HEAD + piece(text) + "fff\r\nid: 99\ndata: {\"seq\"");
      wire.cut();
    };
  }

  /** Sends it all, and then nothing until the other side disconnects. */
  private Behaviour falls(String text) {
    return (request, wire) -> {
      wire.raw(HEAD + piece(text));
      server.never().answer(request, wire);
    };
  }

  private static List<Long> seqs(Watch<PublicEvent> watch) {
    List<Long> seqs = new ArrayList<>();
    while (watch.hasNext()) seqs.add(watch.next().seq());
    return seqs;
  }

  @Test
  @DisplayName("a stream tells one thing after another, until it ends")
  void untilTheEnd() {
    server.answer(sends("retry: 2000\n\n", ": ping\n\n" + frame(1) + frame(2), frame(4) + END));
    Watch<PublicEvent> watch = client.typed().watchRun("w", "r");
    assertThat(watch.position()).isNull();
    assertThat(watch.hasNext()).isTrue();
    assertThat(watch.position()).isNull();
    assertThat(watch.next().seq()).isEqualTo(1);
    assertThat(watch.position()).isEqualTo("1");
    assertThat(seqs(watch)).containsExactly(2L, 4L);
    assertThat(watch.hasNext()).isFalse();
    assertThatThrownBy(watch::next).isInstanceOf(NoSuchElementException.class);
    assertThat(watch.position()).isEqualTo("4");
    StubServer.Received asked = server.requests().get(0);
    assertThat(asked.method() + " " + asked.target()).isEqualTo("GET /workflows/w/runs/r/events");
    assertThat(asked.headers()).containsEntry("accept", "text/event-stream").doesNotContainKey("last-event-id");
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  @DisplayName("a stream that breaks goes on behind the last whole frame, after a pause that the service asks for")
  void goesOn() {
    server.answerInTurn(
        breaksAfter("retry: 2000\n\n" + frame(1) + frame(2)),
        RetriesTest.busy(502),
        RetriesTest.busy(503),
        sends(frame(3) + "id: 5\n\n"),
        sends(frame(6) + END));
    assertThat(seqs(client.typed().watchRun("w", "r", WatchOptions.defaults().after("0").view(EventView.LOG))))
        .containsExactly(1L, 2L, 3L, 6L);
    assertThat(server.headers("last-event-id")).containsExactly("0", "2", "2", "2", "5");
    assertThat(server.requests()).allMatch(asked -> asked.target().endsWith("/events?view=log"));
    assertThat(time.pauses().get(0)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
  }

  @Test
  @DisplayName("a pause that nobody waits for is cut to the longest Retry-After that is waited for")
  void longPause() {
    server.answerInTurn(sends("retry: 999999999\n\n" + frame(1)), sends(END));
    assertThat(seqs(client.typed().watchRun("w", "r"))).containsExactly(1L);
    assertThat(time.pauses()).hasSize(1);
    assertThat(time.longestPause()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));
  }

  @Test
  @DisplayName("nothing left is an end, at once or after a break")
  void nothingLeft() {
    Behaviour nothing = (request, wire) -> wire.raw("HTTP/1.1 204 No Content\r\n\r\n");
    server.answerInTurn(breaksAfter(frame(1)), nothing, nothing);
    assertThat(seqs(client.typed().watchRun("w", "r"))).containsExactly(1L);
    assertThat(seqs(client.typed().watchRun("w", "r", WatchOptions.defaults().after("1")))).isEmpty();
  }

  @Test
  @DisplayName("what is no whole number of frames before the break is told once, by the next connection")
  void brokenAtEveryPlace() {
    String all = "retry: 1\n\n" + frame(1) + ": ping\n\n" + frame(2) + frame(3) + END;
    for (int at = 0; at < all.length(); at += 3) {
      String sent = all.substring(0, at);
      server.answerInTurn(
          (request, wire) -> {
            wire.raw(HEAD + (sent.isEmpty() ? "" : piece(sent)));
            wire.cut();
          },
          (request, wire) -> {
            String seen = request.headers().get("last-event-id");
            StringBuilder rest = new StringBuilder();
            for (int seq = seen == null ? 1 : Integer.parseInt(seen) + 1; seq <= 3; seq++) rest.append(frame(seq));
            sends(rest + END).answer(request, wire);
          });
      assertThat(seqs(client.typed().watchRun("w", "r"))).as("cut at " + at).containsExactly(1L, 2L, 3L);
    }
  }

  @Test
  @DisplayName("a connection on which nothing comes is made anew")
  void silence() {
    server.answerInTurn(falls(frame(1)), sends(frame(2) + END));
    WatchOptions impatient = WatchOptions.defaults().silence(Duration.ofMillis(50));
    try (FlowgateClient real = new FlowgateClient(server.url())) {
      assertThat(seqs(real.typed().watchRun("w", "r", impatient))).containsExactly(1L, 2L);
    }
    assertThat(server.headers("last-event-id")).containsExactly(null, "1");
  }

  @Test
  @DisplayName("a refusal is told at once, and nothing is asked again")
  void refusals() {
    server.answer((request, wire) -> wire.json(404, "{\"error\":\"Unknown run: r\",\"code\":\"unknown-run\"}"));
    assertThatThrownBy(() -> client.typed().watchRun("w", "r"))
        .isInstanceOfSatisfying(FlowgateApiException.class, error -> assertThat(error.code()).isEqualTo("unknown-run"));
    server.answer(RetriesTest.GOOD);
    assertThatThrownBy(() -> client.typed().watchRun("w", "r"))
        .isInstanceOf(FlowgateApiException.class)
        .hasMessageContaining("not Flowgate's");
    server.answer((request, wire) -> wire.reply(302, Map.of("location", "http://other/"), ""));
    assertThatThrownBy(() -> client.typed().watchRun("w", "r")).hasMessageContaining("sends callers elsewhere");
    assertThat(server.requests()).hasSize(3);
  }

  @Test
  @DisplayName("a refusal after a break ends the watch with it")
  void refusedLater() {
    server.answerInTurn(sends(frame(1)), (request, wire) -> wire.json(400, "{\"error\":\"beyond the log\"}"));
    Watch<PublicEvent> watch = client.typed().watchRun("w", "r");
    assertThat(watch.next().seq()).isEqualTo(1);
    assertThatThrownBy(watch::hasNext).hasMessageContaining("beyond the log");
    assertThat(watch.hasNext()).isFalse();
  }

  @Test
  @DisplayName("a first connection is tried as often as a call, a later one for as long as patience lasts")
  void patience() {
    server.answer(RetriesTest.busy(503));
    assertThatThrownBy(() -> client.typed().watchRun("w", "r")).isInstanceOf(FlowgateApiException.class);
    assertThat(server.requests()).hasSize(4);

    server.answerInTurn(sends(frame(1)), (request, wire) -> wire.cut());
    Watch<PublicEvent> watch =
        client.typed().watchRun("w", "r", WatchOptions.defaults().patience(Duration.ofMinutes(2)));
    watch.next();
    Instant before = time.instant();
    assertThatThrownBy(watch::hasNext).isInstanceOf(FlowgateUnreachableException.class);
    assertThat(Duration.between(before, time.instant())).isBetween(Duration.ofMinutes(2), Duration.ofSeconds(126));
  }

  @Test
  @DisplayName("an event that is too long, or none, ends the watch with a sentence")
  void unreadable() {
    try (FlowgateClient small = FlowgateClient.builder(server.url()).maxResponseBytes(200).build()) {
      server.answer(sends("data: " + "x".repeat(300)));
      Watch<PublicEvent> watch = small.typed().watchRun("w", "r");
      assertThatThrownBy(watch::hasNext).isInstanceOf(FlowgateException.class).hasMessageContaining("raise maxResponseBytes");
    }
    server.answer(sends("data: no json\n\n"));
    Watch<PublicEvent> watch = client.typed().watchRun("w", "r");
    assertThatThrownBy(watch::hasNext).isInstanceOf(FlowgateException.class);
    assertThat(watch.hasNext()).isFalse();
  }

  @Test
  @DisplayName("closed by another thread, a watch that waits ends, and lets its connection go")
  void closed() throws Exception {
    server.answer(falls(frame(1)));
    Watch<PublicEvent> watch = client.typed().watchRun("w", "r");
    watch.next();
    CompletableFuture<Boolean> more = CompletableFuture.supplyAsync(watch::hasNext);
    watch.close();
    assertThat(more.get(5, TimeUnit.SECONDS)).isFalse();
    assertThat(server.awaitHangUp()).isTrue();
    watch.close();
  }

  @Test
  @DisplayName("a client that is closed ends its watches with a sentence")
  void closedClient() throws Exception {
    server.answer(falls(frame(1)));
    Watch<PublicEvent> watch = client.typed().watchRun("w", "r");
    watch.next();
    CompletableFuture<Throwable> thrown = CompletableFuture.supplyAsync(() -> catchThrowable(watch::hasNext));
    client.close();
    assertThat(thrown.get(5, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    assertThat(server.awaitHangUp()).isTrue();
    assertThatThrownBy(() -> client.typed().watchRun("w", "r")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @DisplayName("an interrupt ends the watch, while it connects, waits or pauses")
  void interrupted() throws Exception {
    for (Behaviour behaviour : List.of(server.never(), falls(frame(1)))) {
      server.answer(behaviour);
      int asked = server.requests().size();
      CountDownLatch isReading = new CountDownLatch(1);
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      AtomicReference<Boolean> flag = new AtomicReference<>();
      Thread thread =
          new Thread(
              () -> {
                thrown.set(catchThrowable(() -> {
                  Watch<PublicEvent> watch = client.typed().watchRun("w", "r");
                  watch.next();
                  isReading.countDown();
                  watch.next();
                }));
                flag.set(Thread.currentThread().isInterrupted());
              });
      thread.start();
      while (server.requests().size() == asked) Thread.sleep(2);
      thread.interrupt();
      thread.join(5_000);
      assertThat(thrown.get()).isInstanceOf(FlowgateInterruptedException.class);
      assertThat(flag.get()).isTrue();
      assertThat(server.awaitHangUp()).isTrue();
    }
  }

  @Test
  @DisplayName("lists begin with what there is, and begin again after a break")
  void lists() {
    String run = "{\"runId\":\"r\",\"workflowId\":\"w\",\"status\":\"running\"}";
    server.answerInTurn(
        sends("event: snapshot\ndata: {\"items\":[" + run + "],\"next\":\"n\"}\n\n", "event: later\ndata: {}\n\n"),
        sends(
            "event: snapshot\ndata: {\"items\":[],\"next\":null}\n\nevent: upsert\ndata: " + run
                + "\n\nevent: remove\ndata: {\"runId\":\"r\"}\n\n"));
    try (Watch<ListChange<RunItem>> watch = client.typed().watchRuns(RunsQuery.all().label("a", "b"))) {
      List<ListChange<RunItem>> changes = watch.stream().limit(4).toList();
      assertThat(changes.get(0)).isInstanceOfSatisfying(ListChange.Snapshot.class, page -> assertThat(page.next()).isEqualTo("n"));
      assertThat(changes.get(1)).isEqualTo(new ListChange.Snapshot<RunItem>(List.of(), null));
      assertThat(changes.get(2)).isInstanceOf(ListChange.Upsert.class);
      assertThat(changes.get(3)).isEqualTo(new ListChange.Remove<RunItem>("r", null));
      assertThat(watch.position()).isNull();
    }
    assertThat(server.requests().get(0).target()).isEqualTo("/runs?label=a%3Ab");
    server.answer(sends("event: remove\ndata: {\"runId\":\"r\",\"gateId\":3}\n\n"));
    try (Watch<ListChange<GateItem>> watch = client.typed().watchGates(GatesQuery.defaults())) {
      assertThat(watch.next()).isEqualTo(new ListChange.Remove<GateItem>("r", 3L));
    }
  }

  @Test
  @DisplayName("all runs are watched from a place that only the service reads; a place that is lost is told")
  void all() {
    server.answerInTurn(
        sends("id: p 1\nevent: unit.finished\ndata: " + event(3) + "\n\n"),
        sends("event: reset\ndata: {}\n\nid: p9\nevent: unit.finished\ndata: " + event(1) + "\n\n"));
    try (Stream<PublicEvent> events = client.typed().watchAll(WatchOptions.defaults().after("p0")).stream()) {
      assertThat(events.limit(3).map(PublicEvent::type)).containsExactly("unit.finished", "reset", "unit.finished");
    }
    assertThat(server.headers("last-event-id")).containsExactly("p0", "p 1");
    assertThat(server.requests().get(0).target()).isEqualTo("/events");
  }

  @Test
  @DisplayName("as text each is the JSON that came")
  void asText() {
    server.answer(sends(frame(1) + END));
    try (Watch<String> watch = client.watchRun("w", "r", WatchOptions.defaults())) {
      assertThat(watch.next()).isEqualTo(event(1));
      assertThat(watch.hasNext()).isFalse();
    }
  }
}
