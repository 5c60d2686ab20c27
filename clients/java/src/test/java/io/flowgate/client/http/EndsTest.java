package io.flowgate.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flowgate.client.FlowgateClient;
import io.flowgate.client.FlowgateInterruptedException;
import io.flowgate.client.FlowgateWaitTimeoutException;
import io.flowgate.client.RunRecord;
import io.flowgate.client.RunStatus;
import io.flowgate.client.StartOptions;
import io.flowgate.client.WaitOptions;
import io.flowgate.client.stub.ManualTime;
import io.flowgate.client.stub.StubServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How calls end other than by an answer, and on which threads. */
@Timeout(30)
class EndsTest {
  private static final String RUNNING = "{\"runId\":\"r\",\"workflowId\":\"w\",\"status\":\"running\"}";
  private static final StartOptions SYNC = StartOptions.defaults().sync(true);

  private StubServer server;
  private FlowgateClient client;

  @BeforeEach
  void start() throws IOException {
    server = new StubServer();
    server.answer(RetriesTest.GOOD);
    client = new FlowgateClient(server.url());
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) Thread.sleep(2);
  }

  @Test
  @DisplayName("a blocking call responds to interruption, and lets its connection go")
  void interruption() throws Exception {
    server.answer(server.never());
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicReference<Boolean> flag = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                client.startWorkflow("w", null, true);
              } catch (RuntimeException error) {
                thrown.set(error);
                flag.set(Thread.currentThread().isInterrupted());
              }
            });
    thread.start();
    await(() -> server.requests().size() == 1);
    thread.interrupt();
    thread.join();
    assertThat(thrown.get()).isInstanceOf(FlowgateInterruptedException.class);
    assertThat(flag.get()).isTrue();
    assertThat(server.awaitHangUp()).isTrue();
  }

  @Test
  @DisplayName("cancelling a future ends its call, and lets its connection go")
  void cancelling() throws Exception {
    server.answer(server.never());
    CompletableFuture<RunRecord> call = client.async().startWorkflow("w", null, SYNC);
    await(() -> server.requests().size() == 1);
    assertThat(call.cancel(true)).isTrue();
    assertThat(call).isCancelled();
    assertThat(server.awaitHangUp()).isTrue();
  }

  @Test
  @DisplayName("so does whatever else completes the future, and cancelling while an answer arrives")
  void otherEnds() throws Exception {
    server.answer(
        (request, wire) -> {
          wire.raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"runId\":");
          server.never().answer(request, wire);
        });
    CompletableFuture<RunRecord> call = client.async().getRun("w", "r").orTimeout(200, TimeUnit.MILLISECONDS);
    assertThatThrownBy(call::get).isInstanceOf(ExecutionException.class);
    assertThat(server.awaitHangUp()).isTrue();
  }

  @Test
  @DisplayName("cancelling while a run is waited for ends the asking")
  void cancellingTheWait() throws Exception {
    server.answer((request, wire) -> wire.json(200, RUNNING));
    CompletableFuture<RunRecord> waiting = client.async().waitForRun("w", "r");
    await(() -> server.requests().size() >= 2);
    waiting.cancel(true);
    Thread.sleep(20);
    int asked = server.requests().size();
    Thread.sleep(300);
    assertThat(server.requests()).hasSize(asked);
  }

  @Test
  @DisplayName("a run is asked for ever more rarely, until it stops, also with a status of a later service")
  void waiting() {
    try (ManualTime time = new ManualTime(Duration.ofSeconds(60));
        FlowgateClient patient =
            FlowgateClient.builder(server.url()).clock(time).scheduler(time.scheduler()).build()) {
      StubServer.Behaviour running = (request, wire) -> wire.json(200, RUNNING);
      List<StubServer.Behaviour> turns = new ArrayList<>(java.util.Collections.nCopies(12, running));
      turns.add((request, wire) -> wire.json(200, RUNNING.replace("running", "archived")));
      server.answerInTurn(turns.toArray(StubServer.Behaviour[]::new));
      RunRecord run = patient.typed().waitForRun("w", "r");
      assertThat(run.status()).isEqualTo(RunStatus.UNKNOWN);
      assertThat(run.json()).contains("archived");
      assertThat(time.pauses()).hasSize(12).isSorted();
      assertThat(time.pauses().get(0)).isEqualTo(Duration.ofMillis(50));
      assertThat(time.pauses().get(11)).isEqualTo(Duration.ofSeconds(1));
    }
  }

  @Test
  @DisplayName("a wait that is bounded tells the run as it was last read, or that it was not")
  void boundedWait() {
    WaitOptions soon = WaitOptions.defaults().timeout(Duration.ofMillis(300));
    server.answer((request, wire) -> wire.json(200, RUNNING));
    assertThatThrownBy(() -> client.typed().waitForRun("w", "r", soon))
        .isInstanceOfSatisfying(
            FlowgateWaitTimeoutException.class,
            error -> assertThat(error.run().status()).isEqualTo(RunStatus.RUNNING))
        .hasMessageContaining("was not over after 300 ms");
    server.answer(server.never());
    assertThatThrownBy(() -> client.typed().waitForRun("w", "r", soon))
        .isInstanceOfSatisfying(FlowgateWaitTimeoutException.class, error -> assertThat(error.run()).isNull());
  }

  @Test
  @DisplayName("closing ends calls under way with an error that says so, and later ones; twice is allowed")
  void closing() throws Exception {
    server.answer(server.never());
    CompletableFuture<RunRecord> call = client.async().startWorkflow("w", null, SYNC);
    CompletableFuture<RunRecord> waiting = client.async().waitForRun("w", "r");
    CompletableFuture<String> blocking =
        CompletableFuture.supplyAsync(() -> client.startWorkflow("w", null, true), work -> new Thread(work).start());
    await(() -> server.requests().size() == 3);
    client.close();
    client.close();
    for (CompletableFuture<?> ended : List.of(call, waiting, blocking)) {
      assertThatThrownBy(ended::get)
          .hasCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("The client was closed during the call");
    }
    assertThat(server.awaitHangUp()).isTrue();
    assertThatThrownBy(client::health).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    assertThatThrownBy(() -> client.async().health()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> client.typed().waitForRun("w", "r")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @DisplayName("closing on a thread of the client's own does not wait for it")
  void closingFromAContinuation() throws Exception {
    client.async().getRun("w", "r").thenRun(client::close).get();
    assertThatThrownBy(client::health).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @DisplayName("no thread of the client is left after its end")
  void noThreadIsLeft() throws Exception {
    // Where the future is done already, what is attached runs on the thread that attaches it.
    server.answer((request, wire) -> {
      Thread.sleep(50);
      RetriesTest.GOOD.answer(request, wire);
    });
    String name = client.async().getRun("w", "r").thenApply(run -> Thread.currentThread().getName()).get();
    String prefix = name.substring(0, name.lastIndexOf('-') + 1);
    server.answer(server.never());
    CompletableFuture<RunRecord> call = client.async().getRun("w", "r");
    await(() -> server.requests().size() == 2);
    client.close();
    assertThatThrownBy(call::get).hasMessageContaining("closed");
    await(() -> Thread.getAllStackTraces().keySet().stream().noneMatch(thread -> thread.getName().startsWith(prefix)));
  }

  @Test
  @DisplayName("what the caller gave stays open")
  void whatTheCallerGave() throws Exception {
    ScheduledExecutorService theirs = Executors.newSingleThreadScheduledExecutor();
    HttpClient http = HttpClient.newHttpClient();
    try (FlowgateClient given = FlowgateClient.builder(server.url()).scheduler(theirs).httpClient(http).build()) {
      given.getRun("w", "r");
    }
    assertThat(theirs.schedule(() -> "still here", 1, TimeUnit.MILLISECONDS).get()).isEqualTo("still here");
    theirs.shutdownNow();
    try (FlowgateClient late = FlowgateClient.builder(server.url()).scheduler(theirs).httpClient(http).build()) {
      assertThatThrownBy(() -> late.getRun("w", "r"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("scheduler was shut down");
    }
  }

  @Test
  @DisplayName("continuations that block stop no other call, nor its time")
  void blockingContinuations() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(100);
    List<Future<?>> continuations = new ArrayList<>();
    CountDownLatch attached = new CountDownLatch(1);
    server.answer((request, wire) -> {
      attached.await();
      RetriesTest.GOOD.answer(request, wire);
    });
    for (int i = 0; i < 100; i++) {
      continuations.add(client.async().getRun("w", "r").thenAccept(run -> {
        assertThat(Thread.currentThread().getName()).startsWith("flowgate-client-");
        blocked.countDown();
        try {
          over.await();
        } catch (InterruptedException ended) {
          Thread.currentThread().interrupt();
        }
      }));
    }
    attached.countDown();
    assertThat(blocked.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(client.getRun("w", "r")).isEqualTo(RetriesTest.RECORD);
    assertThat(client.async().getRun("w", "r").thenApply(run -> client.getRun("w", "r")).get())
        .isEqualTo(RetriesTest.RECORD);
    server.answer(server.never());
    assertThatThrownBy(() -> client.typed().startWorkflow("w", null, SYNC.timeout(Duration.ofMillis(100))))
        .hasMessageContaining("did not answer within 100 ms");
    over.countDown();
    for (Future<?> continuation : continuations) continuation.get();
  }

  @Test
  @DisplayName("continuations run on no thread of the caller's HttpClient, nor on his scheduler")
  void continuationsBesideTheCallersThreads() throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor();
    ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    try (FlowgateClient given =
        FlowgateClient.builder(server.url())
            .httpClient(HttpClient.newBuilder().executor(one).build())
            .scheduler(scheduler)
            .build()) {
      CountDownLatch over = new CountDownLatch(1);
      CountDownLatch attached = new CountDownLatch(1);
      server.answer((request, wire) -> {
        attached.await();
        RetriesTest.GOOD.answer(request, wire);
      });
      CompletableFuture<Void> blocking = given.async().getRun("w", "r").thenAccept(run -> {
        try {
          over.await();
        } catch (InterruptedException ended) {
          Thread.currentThread().interrupt();
        }
      });
      attached.countDown();
      assertThat(given.getRun("w", "r")).isEqualTo(RetriesTest.RECORD);
      over.countDown();
      blocking.get();
    } finally {
      one.shutdownNow();
      scheduler.shutdownNow();
    }
  }

  @Test
  @DisplayName("two hundred threads share one client")
  void twoHundredThreads() throws Exception {
    server.answer((request, wire) -> wire.json(200, RUNNING.replace("\"r\"", "\"" + request.target().split("/")[4] + "\"")));
    ExecutorService threads = Executors.newFixedThreadPool(200);
    try {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        int thread = i;
        all.add(threads.submit(() -> {
          int right = 0;
          for (int call = 0; call < 10; call++) {
            String runId = thread + "-" + call;
            if (client.typed().getRun("w", runId).runId().equals(runId)) right++;
            if (client.async().getRun("w", runId).get().runId().equals(runId)) right++;
          }
          return right;
        }));
      }
      for (Future<Integer> one : all) assertThat(one.get()).isEqualTo(20);
    } finally {
      threads.shutdownNow();
    }
  }
}
