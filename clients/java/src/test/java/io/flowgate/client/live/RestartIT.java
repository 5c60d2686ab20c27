package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.bound;
import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.parsed;
import static io.flowgate.client.live.Documents.remote;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.RetryOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RestartIT {
  @RegisterExtension static final LiveService SERVICE = LiveService.durable();
  private static final RetryOptions PATIENT =
      RetryOptions.defaults().count(200).base(Duration.ofMillis(50)).max(Duration.ofMillis(100));

  @Test
  void aStartThatWaitsOutlivesAServiceThatIsKilledAndStartedAgainAndStartsOneRun() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (UnitServer unit =
            UnitServer.start(
                call -> {
                  never.await();
                  return "";
                });
        FlowgateClient client = FlowgateClient.builder(SERVICE.url()).retries(PATIENT).build()) {
      client.loadAndRegister(document("patient", List.of(remote("work"))), bound("work", unit.url()));

      FutureTask<String> start = new FutureTask<>(() -> client.startWorkflow("patient", "{\"n\":1}", true));
      new Thread(start, "starts-and-waits").start();
      unit.awaitCall();
      SERVICE.kill();
      unit.answer(call -> "{\"content\":\"done\"}");
      SERVICE.startAgain();
      String run = start.get(30, TimeUnit.SECONDS);

      JsonNode record = parsed(run);
      assertThat(record.get("status").textValue()).isEqualTo("completed");
      assertThat(record.at("/result/state")).isEqualTo(parsed("{\"n\":1,\"output.work\":\"done\"}"));
      for (String name : List.of("idempotency-key", "x-flowgate-run-id")) {
        assertThat(unit.requests().stream().map(call -> call.headers().get(name)).collect(Collectors.toSet()))
            .as(name)
            .hasSize(1)
            .doesNotContainNull();
      }
      assertThat(client.getRun("patient", record.get("runId").textValue())).isEqualTo(run);
    }
  }
}
