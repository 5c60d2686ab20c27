package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.gate;
import static io.flowgate.client.live.Documents.mock;
import static io.flowgate.client.live.Documents.parsed;
import static io.flowgate.client.live.Documents.remote;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.FlowgateWaitTimeoutException;
import io.flowgate.client.HttpBinding;
import io.flowgate.client.MemorySearch;
import io.flowgate.client.MessagePage;
import io.flowgate.client.MessagesOptions;
import io.flowgate.client.ResumeOptions;
import io.flowgate.client.RespondOptions;
import io.flowgate.client.RunBudget;
import io.flowgate.client.RunMessage;
import io.flowgate.client.RunRecord;
import io.flowgate.client.RunStatus;
import io.flowgate.client.StartOptions;
import io.flowgate.client.StopOptions;
import io.flowgate.client.TypedFlowgateClient;
import io.flowgate.client.WaitOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The calls with records, and those with futures. */
@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
class TypedCallsIT extends AtEveryPlace {
  private static final StartOptions SYNC = StartOptions.defaults().sync(true);

  private TypedFlowgateClient typed;

  @BeforeEach
  void openTyped() {
    typed = client.typed();
  }

  record Order(String customer, int amount) {}

  record Handled(String customer, @JsonProperty("output.a") String a) {}

  @Test
  void takesARecordAndGivesOne() {
    var registered = typed.loadAndRegister(document("typed", List.of(mock("a"))));
    assertThat(registered.workflowId()).isEqualTo("typed");
    assertThat(registered.note()).isNotBlank();
    RunRecord run = typed.startWorkflow("typed", new Order("Ünal", 7), SYNC);
    assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
    assertThat(run.workflowId()).isEqualTo("typed");
    assertThat(run.createdAt()).isPositive();
    assertThat(run.updatedAt()).isGreaterThanOrEqualTo(run.createdAt());
    assertThat(run.result().stateAs(Handled.class)).isEqualTo(new Handled("Ünal", "a done"));
    assertThat(run.result().state()).isEqualTo(Map.of("customer", "Ünal", "amount", 7, "output.a", "a done"));
  }

  @Test
  void bindsUnitsToEndpointsWithHeaders() throws Exception {
    try (UnitServer unit = UnitServer.start(call -> "{\"content\":\"from afar\"}")) {
      HttpBinding binding = HttpBinding.to(unit.url()).header("X-Team", "orders").timeout(Duration.ofSeconds(5));
      typed.loadAndRegister(document("bound", List.of(remote("far"))), Map.of("acme.far", binding));
      RunRecord run = typed.startWorkflow("bound", null, SYNC);
      assertThat(run.result().state()).isEqualTo(Map.of("output.far", "from afar"));
      assertThat(unit.requests().get(0).headers()).containsEntry("x-team", "orders");
    }
  }

  @Test
  void startsWaitsDecidesAndReadsTheMessages() {
    typed.loadAndRegister(document("gated", List.of(mock("a"), gate("agree"), mock("b"))));
    RunRecord started = typed.startWorkflow("gated", Map.of("n", 1));
    assertThat(started.status()).isEqualTo(RunStatus.RUNNING);
    String runId = started.runId();
    RunRecord paused = typed.waitForRun("gated", runId);
    assertThat(paused.status()).isEqualTo(RunStatus.PAUSED);
    assertThat(paused.result().completedUnits()).containsExactly("a");
    assertThat(typed.resume("gated", runId).status()).isEqualTo(RunStatus.PAUSED);

    RunRecord over =
        typed.respondHitl("gated", runId, true, RespondOptions.defaults().responder("ann").comment("fine"));
    assertThat(over.status()).isEqualTo(RunStatus.COMPLETED);
    assertThat(over.result().state().get("output.agree"))
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsEntry("approved", true)
        .containsEntry("responder", "ann")
        .containsEntry("comment", "fine");
    assertThat(typed.getRun("gated", runId)).isEqualTo(over);

    MessagePage first = typed.getMessages("gated", runId, MessagesOptions.defaults().limit(2));
    MessagePage rest = typed.getMessages("gated", runId, MessagesOptions.defaults().after(first.next()));
    List<RunMessage> all = new ArrayList<>(first.messages());
    all.addAll(rest.messages());
    assertThat(first.messages()).hasSize(2);
    assertThat(all).isEqualTo(over.result().messages());
    assertThat(rest.next()).isNull();
    assertThat(all).hasAtLeastOneElementOfType(RunMessage.HitlRequest.class);
    assertThat(all).doesNotHaveAnyElementsOfTypes(RunMessage.Other.class);
  }

  @Test
  void goesBackToACheckpoint() throws Exception {
    try (UnitServer unit = UnitServer.start(call -> "{\"content\":1}")) {
      typed.loadAndRegister(
          document("twice", List.of(mock("a"), remote("b"))), Map.of("acme.b", HttpBinding.to(unit.url())));
      RunRecord first = typed.startWorkflow("twice", null, SYNC);
      RunMessage.Checkpoint checkpoint =
          first.result().messages().stream()
              .filter(RunMessage.Checkpoint.class::isInstance)
              .map(RunMessage.Checkpoint.class::cast)
              .findFirst()
              .orElseThrow();
      typed.resume("twice", first.runId(), ResumeOptions.defaults().snapshotId(checkpoint.snapshotId()));
      assertThat(typed.waitForRun("twice", first.runId()).status()).isEqualTo(RunStatus.COMPLETED);
      assertThat(unit.requests()).hasSize(2);
    }
  }

  @Test
  void pausesARunGivesItAnotherBudgetAndCancelsIt() {
    Map<String, Object> flow = Map.of("type", "sequential", "order", List.of("agree", "next"));
    Map<String, Object> spec = Map.of("flow", flow, "onCancel", List.of("tidy"));
    typed.loadAndRegister(document("stopped", List.of(gate("agree"), mock("next"), mock("tidy")), spec));
    String runId = typed.startWorkflow("stopped", null, SYNC).runId();
    StopOptions byAnn = StopOptions.defaults().by("ann");
    assertThat(typed.pause("stopped", runId, byAnn).status()).isEqualTo(RunStatus.PAUSED);
    ResumeOptions richer = ResumeOptions.defaults().budget(RunBudget.defaults().maxTokens(500).maxCost(2.5));
    assertThat(typed.resume("stopped", runId, richer).status()).isEqualTo(RunStatus.PAUSED);
    RunRecord over = typed.cancel("stopped", runId, byAnn);
    assertThat(over.status()).isEqualTo(RunStatus.FAILED);
    assertThat(over.error()).isEqualTo("Cancelled by ann");
    assertThat(over.cancelled()).isTrue();
    assertThat(over.warnings()).isEmpty();
    assertThat(parsed(client.cancel("stopped", runId, null)).get("error").textValue()).isEqualTo("Cancelled by ann");
    List<RunMessage> messages = typed.getMessages("stopped", runId).messages();
    assertThat(messages).doesNotHaveAnyElementsOfTypes(RunMessage.Other.class);
    assertThat(messages)
        .filteredOn(message -> message instanceof RunMessage.RunPaused)
        .singleElement(InstanceOfAssertFactories.type(RunMessage.RunPaused.class))
        .satisfies(paused -> assertThat(paused.reason() + ": " + paused.error()).isEqualTo("requested: Paused by ann"));
    assertThat(messages)
        .hasAtLeastOneElementOfType(RunMessage.CancelRequested.class)
        .last()
        .isInstanceOfSatisfying(RunMessage.RunCancelled.class, last -> assertThat(last.by()).isEqualTo("ann"));
  }

  @Test
  void tellsOfARunThatFailedAsARecord() {
    Map<String, Object> late = Map.of("id", "no", "uses", "builtin.fail", "config", Map.of("message", "it is late"));
    typed.loadAndRegister(document("failing", List.of(late)));
    RunRecord run = typed.startWorkflow("failing", null, SYNC);
    assertThat(run.status()).isEqualTo(RunStatus.FAILED);
    assertThat(run.error()).contains("it is late");
    assertThat(run.result()).isNull();
  }

  @Test
  void carriesTheSameRequestOutOnceForTheSameKey() {
    typed.loadAndRegister(document("keyed", List.of(mock("a"))));
    StartOptions options = SYNC.idempotencyKey("order 7 at " + place);
    RunRecord first = typed.startWorkflow("keyed", Map.of("n", 1), options);
    assertThat(typed.startWorkflow("keyed", Map.of("n", 1), options)).isEqualTo(first);
    assertThatThrownBy(() -> typed.startWorkflow("keyed", Map.of("n", 2), options))
        .isInstanceOfSatisfying(
            FlowgateApiException.class,
            error -> {
              assertThat(error.status()).isEqualTo(409);
              assertThat(error.type()).isEqualTo("IdempotencyConflictError");
            });
  }

  @Test
  void findsInTheMemoryWhatUnitsAnswered() throws Exception {
    String word = "violet" + place.ordinal();
    typed.loadAndRegister(document("remembered", List.of(mock("a", "a " + word + " elephant"))));
    RunRecord run = typed.startWorkflow("remembered", null, SYNC);
    MemorySearch found =
        Eventually.eventually(() -> typed.searchMemory(word), search -> !search.results().isEmpty());
    assertThat(found.results()).hasSize(1);
    assertThat(found.results().get(0).content()).contains(word);
    assertThat(found.results().get(0).score()).isEqualTo(1);
    assertThat(found.results().get(0).metadata()).containsEntry("runId", run.runId());
    assertThat(typed.searchMemory(word, 1_000).results()).hasSize(1);
    assertThat(typed.searchMemory("").results()).isEmpty();
  }

  @Test
  void tellsHowTheServiceFares() {
    typed.loadAndRegister(document("listed", List.of(mock("a"))));
    assertThat(typed.health().ok()).isTrue();
    assertThat(typed.health().workflows()).contains("listed");
    assertThat(typed.health().version()).isNotBlank();
  }

  @Test
  void doesNotWaitForARunLongerThanItIsToldAndSaysHowItStood() throws Exception {
    CountDownLatch finish = new CountDownLatch(1);
    try (UnitServer unit = UnitServer.start(call -> waited(finish))) {
      typed.loadAndRegister(document("stuck", List.of(remote("a"))), Map.of("acme.a", HttpBinding.to(unit.url())));
      String runId = typed.startWorkflow("stuck", null).runId();
      WaitOptions aWhile = WaitOptions.defaults().timeout(Duration.ofMillis(300));
      assertThatThrownBy(() -> typed.waitForRun("stuck", runId, aWhile))
          .isInstanceOfSatisfying(
              FlowgateWaitTimeoutException.class,
              error -> {
                assertThat(error.run().runId()).isEqualTo(runId);
                assertThat(error.run().status()).isEqualTo(RunStatus.RUNNING);
              });
      finish.countDown();
      assertThat(typed.waitForRun("stuck", runId).status()).isEqualTo(RunStatus.COMPLETED);
    }
  }

  @Test
  void endsACallWhoseFutureIsCancelledAndTheRunGoesOn() throws Exception {
    CountDownLatch finish = new CountDownLatch(1);
    try (UnitServer unit = UnitServer.start(call -> waited(finish))) {
      typed.loadAndRegister(document("slow", List.of(remote("a"))), Map.of("acme.a", HttpBinding.to(unit.url())));
      StartOptions options = SYNC.idempotencyKey("the one of " + place);
      CompletableFuture<RunRecord> starting = client.async().startWorkflow("slow", null, options);
      unit.awaitCall();
      starting.cancel(true);
      assertThat(starting).isCancelled();

      CompletableFuture<RunRecord> again = client.async().startWorkflow("slow", null, options);
      finish.countDown();
      assertThat(again.get().result().state()).isEqualTo(Map.of("output.a", "done after all"));
      assertThat(unit.requests()).hasSize(1);
    }
  }

  @Test
  void givesFuturesOfTheSame() throws Exception {
    var async = client.async();
    RunRecord over =
        async
            .loadAndRegister(document("later", List.of(gate("agree"))))
            .thenCompose(registered -> async.startWorkflow(registered.workflowId(), Map.of()))
            .thenCompose(run -> async.waitForRun("later", run.runId()))
            .thenCompose(run -> async.respondHitl("later", run.runId(), true))
            .thenCompose(run -> async.resume("later", run.runId()))
            .get();
    assertThat(over.status()).isEqualTo(RunStatus.COMPLETED);
    assertThat(async.getRun("later", over.runId()).get()).isEqualTo(over);
    assertThat(async.getMessages("later", over.runId()).get().messages()).isEqualTo(over.result().messages());
    assertThat(async.health().get().ok()).isTrue();
    assertThat(async.searchMemory("").get().results()).isEmpty();
    assertThat(async.getRun("later", Refusals.NO_RUN))
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(FlowgateApiException.class);
  }

  private static String waited(CountDownLatch finish) throws InterruptedException {
    finish.await();
    return "{\"content\":\"done after all\"}";
  }
}
