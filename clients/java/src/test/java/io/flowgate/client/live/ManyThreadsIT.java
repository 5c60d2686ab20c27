package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.mock;
import static io.flowgate.client.live.Documents.parsed;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.RunRecord;
import io.flowgate.client.StartOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ManyThreadsIT {
  @RegisterExtension static final LiveService SERVICE = LiveService.inMemory();
  private static final int THREADS = 200;
  private static final long WITHIN_S = 60;

  @Test
  void twoHundredThreadsOnOneClientEachGetTheRunThatTheyStarted() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (FlowgateClient client = new FlowgateClient(SERVICE.url())) {
      client.loadAndRegister(document("crowded", List.of(mock("a", "${{ input.n }}"))), null);
      CountDownLatch atOnce = new CountDownLatch(THREADS);
      List<Future<String>> runs = new ArrayList<>();
      for (int i = 0; i < THREADS; i += 1) {
        int n = i;
        runs.add(
            threads.submit(
                () -> {
                  atOnce.countDown();
                  atOnce.await();
                  return n % 2 == 0 ? asText(client, n) : asRecord(client, n);
                }));
      }
      List<String> ids = new ArrayList<>();
      for (Future<String> run : runs) ids.add(run.get(WITHIN_S, TimeUnit.SECONDS));
      assertThat(ids).doesNotHaveDuplicates().hasSize(THREADS);
    } finally {
      threads.shutdownNow();
    }
  }

  private static String asText(FlowgateClient client, int n) {
    String run = client.startWorkflow("crowded", "{\"n\":" + n + "}", true);
    JsonNode record = parsed(run);
    assertThat(record.at("/result/state")).isEqualTo(parsed("{\"n\":%d,\"output.a\":%d}".formatted(n, n)));
    String runId = record.get("runId").textValue();
    assertThat(client.getRun("crowded", runId)).isEqualTo(run);
    return runId;
  }

  private static String asRecord(FlowgateClient client, int n) {
    RunRecord run =
        client.typed().startWorkflow("crowded", Map.of("n", n), StartOptions.defaults().sync(true));
    assertThat(run.result().state()).isEqualTo(Map.of("n", n, "output.a", n));
    assertThat(client.typed().getRun("crowded", run.runId())).isEqualTo(run);
    return run.runId();
  }
}
