package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.mock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flowgate.client.BatchedRun;
import io.flowgate.client.BatchedStart;
import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.RunRecord;
import io.flowgate.client.RunStatus;
import io.flowgate.client.StartOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches of starts, at a service. */
@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
class BatchesIT extends AtEveryPlace {
  @BeforeEach
  void register() {
    client.typed().loadAndRegister(document("batched", List.of(mock("a"))));
  }

  @Test
  void startsEachRunByItself() {
    List<BatchedRun> runs =
        client
            .typed()
            .startBatch(
                "batched",
                List.of(BatchedStart.of(Map.of("n", 1)), BatchedStart.of(null).labels(Map.of("Not a name", ""))))
            .runs();
    RunRecord started = ((BatchedRun.Started) runs.get(0)).run();
    assertThat(started.status()).isEqualTo(RunStatus.RUNNING);
    assertThat(client.typed().waitForRun("batched", started.runId()).result().state()).containsEntry("n", 1);
    BatchedRun.Refused refused = (BatchedRun.Refused) runs.get(1);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("invalid-request");
    assertThat(refused.error()).contains("Not a name");
  }

  @Test
  void findsTheRunsOfItsKeys() {
    String key = "batched at " + place;
    List<BatchedStart> runs = List.of(BatchedStart.of(Map.of("n", 1)).idempotencyKey(key));
    RunRecord alone =
        client.typed().startWorkflow("batched", Map.of("n", 1), StartOptions.defaults().idempotencyKey(key));
    BatchedRun found = client.async().startBatch("batched", runs).join().runs().get(0);
    assertThat(((BatchedRun.Started) found).run().runId()).isEqualTo(alone.runId());
    List<BatchedStart> others = List.of(BatchedStart.of(Map.of("n", 2)).idempotencyKey(key));
    BatchedRun.Refused refused = (BatchedRun.Refused) client.typed().startBatch("batched", others).runs().get(0);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.type()).isEqualTo("IdempotencyConflictError");
  }

  @Test
  void isRefusedAsAWholeWhereTheWorkflowIsUnknown() {
    assertThatThrownBy(() -> client.startBatch("nobody", List.of(BatchedStart.of(null))))
        .isInstanceOfSatisfying(
            FlowgateApiException.class,
            refused -> {
              assertThat(refused.status()).isEqualTo(404);
              assertThat(refused.code()).isEqualTo("unknown-workflow");
            });
  }
}
