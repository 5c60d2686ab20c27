package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.mock;
import static io.flowgate.client.live.Documents.remote;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flowgate.client.FlowgateClient;
import io.flowgate.client.HttpBinding;
import io.flowgate.client.RunRecord;
import io.flowgate.client.StartOptions;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** From Java 21 on at once; before it, where only a collection ends an {@code HttpClient}, within ten seconds of one. */
class NothingLeftIT {
  @RegisterExtension static final LiveService SERVICE = LiveService.inMemory();
  private static final int CLOSES_AT_ONCE = 21;
  private static final Duration AFTER_A_COLLECTION = Duration.ofSeconds(10);
  /** Of those two that hear of a socket's end: the client's close, and the proxy's thread that reads it. */
  private static final Duration IS_HEARD_WITHIN = Duration.ofSeconds(1);

  private CountingProxy proxy;
  private Set<Thread> before;

  @BeforeEach
  void open() throws Exception {
    proxy = new CountingProxy(SERVICE);
    before = threads();
  }

  @AfterEach
  void close() throws Exception {
    proxy.close();
  }

  @Test
  void ofAClientThatWasUsedByManyThreads() throws Exception {
    FlowgateClient client = new FlowgateClient(proxy.url());
    client.loadAndRegister(document("used", List.of(mock("a"))), null);
    List<CompletableFuture<RunRecord>> runs = new ArrayList<>();
    for (int i = 0; i < 20; i += 1) {
      runs.add(client.async().startWorkflow("used", Map.of("n", i), StartOptions.defaults().sync(true)));
    }
    for (CompletableFuture<RunRecord> run : runs) run.get(20, TimeUnit.SECONDS);
    client.typed().waitForRun("used", runs.get(0).get().runId());
    assertThat(proxy.open()).isPositive();

    runs.clear();
    client.close();
    client.close();
    nothingIsLeft();
    Reference.reachabilityFence(client);
  }

  @Test
  void ofAClientThatWasClosedInTheMiddleOfCallsWhichEndWithASentence() throws Exception {
    CountDownLatch finish = new CountDownLatch(1);
    try (UnitServer unit =
        UnitServer.start(
            call -> {
              finish.await();
              return "1";
            })) {
      before = threads();
      FlowgateClient client = new FlowgateClient(proxy.url());
      client.typed().loadAndRegister(document("slow", List.of(remote("a"))), Map.of("acme.a", HttpBinding.to(unit.url())));
      StartOptions sync = StartOptions.defaults().sync(true);
      CompletableFuture<RunRecord> start = client.async().startWorkflow("slow", null, sync);
      unit.awaitCall();

      client.close();
      assertThatThrownBy(() -> start.get(5, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
      assertThatThrownBy(client::health).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
      finish.countDown();
      nothingIsLeft();
      Reference.reachabilityFence(client);
    }
  }

  @Test
  void ofAClientThatWasNeverUsed() throws Exception {
    FlowgateClient client = new FlowgateClient(proxy.url());
    client.close();
    nothingIsLeft();
    assertThat(proxy.accepted()).isZero();
    Reference.reachabilityFence(client);
  }

  private void nothingIsLeft() throws Exception {
    boolean isAtOnce = Runtime.version().feature() >= CLOSES_AT_ONCE;
    if (isAtOnce) assertThat(newThreads()).as("threads, at once").isEmpty();
    else System.gc();
    Duration within = isAtOnce ? IS_HEARD_WITHIN : AFTER_A_COLLECTION;
    long deadline = System.nanoTime() + within.toNanos();
    while (!(newThreads().isEmpty() && proxy.open() == 0) && System.nanoTime() < deadline) Thread.sleep(20);
    assertThat(newThreads()).as("threads").isEmpty();
    assertThat(proxy.open()).as("connections").isZero();
  }

  private Set<String> newThreads() {
    Set<Thread> now = threads();
    now.removeAll(before);
    return now.stream().map(Thread::getName).collect(Collectors.toSet());
  }

  /** But those that are the tests' own: of the proxy, and of the units. */
  private static Set<Thread> threads() {
    Set<Thread> all = new HashSet<>(Thread.getAllStackTraces().keySet());
    all.removeIf(thread -> thread.getName().equals(CountingProxy.THREADS) || thread.getName().startsWith(UnitServer.THREADS));
    return all;
  }
}
