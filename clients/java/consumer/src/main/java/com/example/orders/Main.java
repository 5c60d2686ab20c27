package com.example.orders;

import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.FlowgateUnreachableException;
import io.flowgate.client.FlowgateValidationException;
import io.flowgate.client.ForkOptions;
import io.flowgate.client.PublicEvent;
import io.flowgate.client.RespondOptions;
import io.flowgate.client.RunItem;
import io.flowgate.client.RunMessage;
import io.flowgate.client.RunRecord;
import io.flowgate.client.RunStatus;
import io.flowgate.client.RunsQuery;
import io.flowgate.client.StartOptions;
import io.flowgate.client.TypedFlowgateClient;
import io.flowgate.client.ValidationResult;
import io.flowgate.client.Watch;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Uses the client as a program of somebody else does, at the service whose address it is given, and fails on any difference. */
public final class Main {
  private static final String WORKFLOW =
      """
      apiVersion: flowgate/v1
      kind: Workflow
      metadata: { id: orders of a consumer }
      spec:
        units:
          - { id: approve, uses: builtin.approval, config: { title: 'Ship it?' } }
          - { id: ship, uses: builtin.mock, config: { response: '${{ input.orderId }} is on its way' } }
        flow: { type: sequential, order: [approve, ship] }
      """;
  private static final String ID = "orders of a consumer";

  private Main() {}

  /**
   * Ends with another code than 0 where something is not as it should be.
   *
   * @param arguments the address of the service
   * @throws Exception something is not as it should be
   */
  public static void main(String[] arguments) throws Exception {
    try (FlowgateClient client = new FlowgateClient(arguments[0])) {
      asTexts(client);
      asRecords(client.typed());
      asFutures(client);
      foundAndWatched(client.typed());
      refusals(client);
    }
    nobodyThere();
  }

  private static void asTexts(FlowgateClient client) {
    ValidationResult checked = client.validate(WORKFLOW);
    same(true, checked.ok());
    same(ID, checked.workflowId());
    same(List.of(), checked.errors());
    holds(client.loadAndRegister(WORKFLOW, null), "\"workflowId\":\"" + ID + "\"");
    String run = client.startWorkflow(ID, "{\"orderId\":\"A-1\",\"amount\":1}", true);
    holds(run, "\"status\":\"paused\"");
    String runId = run.replaceFirst("(?s).*?\"runId\":\"([^\"]+)\".*", "$1");
    holds(client.resume(ID, runId, Optional.empty()), "\"status\":\"paused\"");
    holds(client.respondHitl(ID, runId, true, "ann"), "\"output.ship\":\"A-1 is on its way\"");
    holds(client.getRun(ID, runId), "\"status\":\"completed\"");
    holds(client.searchMemory("", 5), "\"results\":[]");
    holds(client.health(), "\"ok\":true");
  }

  private static void asRecords(TypedFlowgateClient client) {
    same(ID, client.loadAndRegister(WORKFLOW).workflowId());
    RunRecord paused = client.startWorkflow(ID, new Order("A-2", 12.5), StartOptions.defaults().sync(true));
    same(RunStatus.PAUSED, paused.status());
    same(1L, paused.result().messages().stream().filter(RunMessage.HitlRequest.class::isInstance).count());
    RunRecord over =
        client.respondHitl(ID, paused.runId(), true, RespondOptions.defaults().responder("bob"));
    same(RunStatus.COMPLETED, over.status());
    Handled expected = new Handled("A-2", 12.5, new Handled.Decision(true, "bob"), "A-2 is on its way");
    same(expected, over.result().stateAs(Handled.class));
    same(over, client.waitForRun(ID, over.runId()));
    same(over.result().messages(), client.getMessages(ID, over.runId()).messages());
  }

  private static void asFutures(FlowgateClient client) throws Exception {
    RunRecord rejected =
        client
            .async()
            .startWorkflow(ID, new Order("A-3", 1))
            .thenCompose(run -> client.async().waitForRun(ID, run.runId()))
            .thenCompose(run -> client.async().respondHitl(ID, run.runId(), false))
            .get();
    same(RunStatus.FAILED, rejected.status());
    holds(rejected.error(), "Rejected by ");
  }

  private static void foundAndWatched(TypedFlowgateClient client) {
    // The program may have run before on the same service.
    String order = "A-4-" + System.nanoTime();
    StartOptions options = StartOptions.defaults().sync(true).labels(Map.of("order", order));
    String runId = client.startWorkflow(ID, new Order("A-4", 1), options).runId();
    List<RunItem> found = client.listRuns(RunsQuery.all().workflowId(ID).label("order", order)).items();
    same(List.of(runId), found.stream().map(RunItem::runId).toList());
    String last = null;
    try (Watch<PublicEvent> watch = client.watchRun(ID, runId)) {
      while (watch.hasNext()) {
        last = watch.next().type();
        if (last.equals("gate.opened")) client.respondHitl(ID, runId, true);
      }
    }
    same("run.completed", last);
    ForkOptions again = ForkOptions.defaults().input(new Order("A-5", 1)).sync(true);
    same(RunStatus.PAUSED, client.fork(ID, runId, again).status());
  }

  private static void refusals(FlowgateClient client) {
    FlowgateApiException unknown =
        thrown(FlowgateApiException.class, () -> client.startWorkflow("nobody", null, false));
    same(500, unknown.status());
    holds(unknown.getMessage(), unknown.body());
    holds(unknown.getMessage(), "Unknown workflow: nobody");
    FlowgateValidationException wrong =
        thrown(FlowgateValidationException.class, () -> client.loadAndRegister("kind: Workflw", null));
    same(1, wrong.faults().get(0).line());
  }

  private static void nobodyThere() {
    try (FlowgateClient client = FlowgateClient.builder("http://127.0.0.1:9").retries(0).build()) {
      holds(thrown(FlowgateUnreachableException.class, client::health).getMessage(), "unreachable");
    }
  }

  private static void same(Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) throw new AssertionError("expected " + expected + ", not " + actual);
  }

  private static void holds(String text, String part) {
    if (!text.contains(part)) throw new AssertionError(part + " is not in " + text);
  }

  private static <T extends Throwable> T thrown(Class<T> type, Runnable call) {
    try {
      call.run();
    } catch (Throwable error) {
      if (type.isInstance(error)) return type.cast(error);
      throw new AssertionError("another error than a " + type.getSimpleName(), error);
    }
    throw new AssertionError("no " + type.getSimpleName());
  }
}
