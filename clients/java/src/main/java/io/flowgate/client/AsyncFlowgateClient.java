package io.flowgate.client;

import io.flowgate.client.internal.calls.Calls;
import io.flowgate.client.internal.calls.Connection;
import io.flowgate.client.internal.calls.Keys;
import io.flowgate.client.internal.calls.Operations;
import io.flowgate.client.internal.calls.RunBatches;
import io.flowgate.client.internal.calls.RunCopies;
import io.flowgate.client.internal.calls.RunLists;
import io.flowgate.client.internal.calls.WorkflowVersions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The calls of a {@link TypedFlowgateClient} without waiting: each gives a future at once. It may be used by many threads.
 *
 * <p>Arguments that cannot be meant are thrown at once; all else fails the future. Cancelling a future ends its call: the
 * connection is released, and nothing is tried again; what the service has begun continues. That holds for the future that
 * was handed out, not for those made from it by {@code thenApply} and the like.
 *
 * <p>What is attached to a future runs on a daemon thread of the client's own, one per call that ends, in a pool that grows
 * as it must: code that blocks there stops no other call. It may call the client again.
 */
public final class AsyncFlowgateClient {
  private static final int DEFAULT_TOP_K = 5;

  private final Calls calls;
  private final Operations operations;
  private final RunBatches batches;
  private final RunLists lists;
  private final RunCopies copies;
  private final WorkflowVersions versions;
  private final Keys keys;

  AsyncFlowgateClient(Connection connection) {
    calls = connection.calls();
    operations = connection.operations();
    batches = connection.batches();
    lists = connection.lists();
    copies = connection.copies();
    versions = connection.versions();
    keys = connection.keys();
  }

  /**
   * Checks a workflow here, by the published schema, then registers it, or replaces it for later runs.
   *
   * @param source the path of a readable file, else the YAML text itself
   * @return the workflow's id, and what the service notes; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RegisteredWorkflow> loadAndRegister(String source) {
    return loadAndRegister(source, Map.of(), CallOptions.defaults());
  }

  /**
   * Checks a workflow here, by the published schema, then registers it, or replaces it for later runs.
   *
   * @param source the path of a readable file, else the YAML text itself
   * @param bindings where its {@code uses} names live; may be empty
   * @return the workflow's id, and what the service notes; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RegisteredWorkflow> loadAndRegister(String source, Map<String, HttpBinding> bindings) {
    return loadAndRegister(source, bindings, CallOptions.defaults());
  }

  /**
   * Checks a workflow here, by the published schema, then registers it, or replaces it for later runs.
   *
   * @param source the path of a readable file, else the YAML text itself
   * @param bindings where its {@code uses} names live; may be empty
   * @param options of this call
   * @return the workflow's id, and what the service notes; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RegisteredWorkflow> loadAndRegister(String source, Map<String, HttpBinding> bindings, CallOptions options) {
    return calls.handOut(operations.loadAndRegister(source, bindings, options));
  }

  /**
   * Starts a run; the answer comes at once.
   *
   * @param workflowId of the workflow
   * @param input the first keys of the shared state: a {@code Map}, a record or a bean, which Jackson writes; null is an empty object
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> startWorkflow(String workflowId, Object input) {
    return startWorkflow(workflowId, input, StartOptions.defaults());
  }

  /**
   * Starts a run. A run that fails is an answer, not an error: look at its status.
   *
   * @param workflowId of the workflow
   * @param input the first keys of the shared state: a {@code Map}, a record or a bean, which Jackson writes; null is an empty object
   * @param options of this call
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> startWorkflow(String workflowId, Object input, StartOptions options) {
    return calls.handOut(operations.startWorkflow(workflowId, input, options));
  }

  /**
   * Starts 1 to 1,000 runs of one workflow, each by itself: one that is refused stops no other. Where the call fails in the
   * middle, make it again with the same keys: what has begun is answered, and the rest is started.
   *
   * @param workflowId of the workflow
   * @param runs to start, each with its own key if you give one
   * @return what became of each, in their order; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<StartedBatch> startBatch(String workflowId, List<BatchedStart> runs) {
    return startBatch(workflowId, runs, CallOptions.defaults());
  }

  /**
   * Starts 1 to 1,000 runs of one workflow, each by itself: one that is refused stops no other. Where the call fails in the
   * middle, make it again with the same keys: what has begun is answered, and the rest is started.
   *
   * @param workflowId of the workflow
   * @param runs to start, each with its own key if you give one
   * @param options of this call
   * @return what became of each, in their order; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<StartedBatch> startBatch(String workflowId, List<BatchedStart> runs, CallOptions options) {
    return calls.handOut(batches.startBatch(workflowId, runs, options));
  }

  /**
   * Reads a run.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> getRun(String workflowId, String runId) {
    return getRun(workflowId, runId, CallOptions.defaults());
  }

  /**
   * Reads a run.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> getRun(String workflowId, String runId, CallOptions options) {
    return calls.handOut(operations.getRun(workflowId, runId, options));
  }

  /**
   * Reads all that is known of a run, whatever its status, and where and why it failed.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<FullRunRecord> getFullRun(String workflowId, String runId) {
    return getFullRun(workflowId, runId, CallOptions.defaults());
  }

  /**
   * Reads all that is known of a run, whatever its status, and where and why it failed.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<FullRunRecord> getFullRun(String workflowId, String runId, CallOptions options) {
    return calls.handOut(operations.getFullRun(workflowId, runId, options));
  }

  /**
   * Continues after a pause, or tries a failed run again.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> resume(String workflowId, String runId) {
    return resume(workflowId, runId, ResumeOptions.defaults());
  }

  /**
   * Continues after a pause, tries a failed run again, or goes back to the checkpoint that the options name; under the
   * budget that they name, if any.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> resume(String workflowId, String runId, ResumeOptions options) {
    return calls.handOut(operations.resume(workflowId, runId, options));
  }

  /**
   * Ends a run: what is in flight is notified, then the units of its {@code onCancel} run. It is then failed, and its error
   * says who cancelled it; one that is over already is answered as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> cancel(String workflowId, String runId) {
    return cancel(workflowId, runId, StopOptions.defaults());
  }

  /**
   * Ends a run: what is in flight is notified, then the units of its {@code onCancel} run. It is then failed, and its error
   * says who cancelled it; one that is over already is answered as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> cancel(String workflowId, String runId, StopOptions options) {
    return calls.handOut(operations.cancel(workflowId, runId, options));
  }

  /**
   * Pauses a run until it is resumed; one that is paused or over already is returned as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> pause(String workflowId, String runId) {
    return pause(workflowId, runId, StopOptions.defaults());
  }

  /**
   * Pauses a run until it is resumed; one that is paused or over already is returned as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> pause(String workflowId, String runId, StopOptions options) {
    return calls.handOut(operations.pause(workflowId, runId, options));
  }

  /**
   * Tries again each compensation of a run that failed; the run must be over, and ends as it had ended. Where none has failed
   * it is refused: 409, {@code nothing-to-compensate}.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> compensate(String workflowId, String runId) {
    return compensate(workflowId, runId, StopOptions.defaults());
  }

  /**
   * Tries again each compensation of a run that failed; the run must be over, and ends as it had ended. Where none has failed
   * it is refused: 409, {@code nothing-to-compensate}.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> compensate(String workflowId, String runId, StopOptions options) {
    return calls.handOut(operations.compensate(workflowId, runId, options));
  }

  /**
   * Decides at the gate that is open, and continues.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param approved true approves, false rejects
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> respondHitl(String workflowId, String runId, boolean approved) {
    return respondHitl(workflowId, runId, approved, RespondOptions.defaults());
  }

  /**
   * Decides at the gate that is open, or at the one that the options name, and continues.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param approved true approves, false rejects
   * @param options of this call
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> respondHitl(String workflowId, String runId, boolean approved, RespondOptions options) {
    return calls.handOut(operations.respondHitl(workflowId, runId, approved, options));
  }

  /**
   * Asks until the run is completed, paused or failed, however long that takes.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> waitForRun(String workflowId, String runId) {
    return waitForRun(workflowId, runId, WaitOptions.defaults());
  }

  /**
   * Asks until the run is completed, paused or failed.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> waitForRun(String workflowId, String runId, WaitOptions options) {
    return calls.handOut(operations.waitForRun(workflowId, runId, options));
  }

  /**
   * The first page of what happened in the run, oldest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<MessagePage> getMessages(String workflowId, String runId) {
    return getMessages(workflowId, runId, MessagesOptions.defaults());
  }

  /**
   * One page of what happened in the run, oldest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<MessagePage> getMessages(String workflowId, String runId, MessagesOptions options) {
    return calls.handOut(operations.getMessages(workflowId, runId, options));
  }

  /**
   * The runs of all workflows for which all holds that is asked, newest first: one page of them.
   *
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Page<RunItem>> listRuns() {
    return listRuns(RunsQuery.all());
  }

  /**
   * The runs of all workflows for which all holds that is asked, newest first: one page of them.
   *
   * @param query which runs
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Page<RunItem>> listRuns(RunsQuery query) {
    return calls.handOut(lists.listRuns(query));
  }

  /**
   * The gates of all runs that wait for a decision, or those that were decided, newest first: one page of them.
   *
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<GatePage> listGates() {
    return listGates(GatesQuery.defaults());
  }

  /**
   * The gates of all runs that wait for a decision, or those that were decided, newest first: one page of them.
   *
   * @param query which gates
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<GatePage> listGates(GatesQuery query) {
    return calls.handOut(lists.listGates(query));
  }

  /**
   * Makes a new run that begins where another was, which stays as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the new run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> fork(String workflowId, String runId) {
    return fork(workflowId, runId, ForkOptions.defaults());
  }

  /**
   * Makes a new run that begins where another was, which stays as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options from where on, and with what other than it had
   * @return the new run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> fork(String workflowId, String runId, ForkOptions options) {
    return calls.handOut(copies.fork(workflowId, runId, options));
  }

  /**
   * One page of what the run did, oldest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<EventPage> events(String workflowId, String runId) {
    return events(workflowId, runId, EventsOptions.defaults());
  }

  /**
   * One page of what the run did, oldest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<EventPage> events(String workflowId, String runId, EventsOptions options) {
    return calls.handOut(lists.events(workflowId, runId, options));
  }

  /**
   * One thing that the run did, whole.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param seq its position in the log
   * @return the event; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<PublicEvent> event(String workflowId, String runId, long seq) {
    return event(workflowId, runId, seq, EventView.PUBLIC, CallOptions.defaults());
  }

  /**
   * One thing that the run did, whole.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param seq its position in the log
   * @param view how it is shown
   * @param options of this call
   * @return the event; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<PublicEvent> event(
      String workflowId, String runId, long seq, EventView view, CallOptions options) {
    return calls.handOut(lists.event(workflowId, runId, seq, view, options));
  }

  /**
   * One page of the checkpoints of the run, newest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Page<SnapshotItem>> listSnapshots(String workflowId, String runId) {
    return listSnapshots(workflowId, runId, PageOptions.defaults());
  }

  /**
   * One page of the checkpoints of the run, newest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Page<SnapshotItem>> listSnapshots(String workflowId, String runId, PageOptions options) {
    return calls.handOut(lists.listSnapshots(workflowId, runId, options));
  }

  /**
   * The whole run as a text that another service can import.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return lines of JSON, as they came: keep them byte for byte, in UTF-8; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<String> exportRun(String workflowId, String runId) {
    return exportRun(workflowId, runId, CallOptions.defaults());
  }

  /**
   * The whole run as a text that another service can import.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return lines of JSON, as they came: keep them byte for byte, in UTF-8; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<String> exportRun(String workflowId, String runId, CallOptions options) {
    return calls.handOut(copies.exportRun(workflowId, runId, options));
  }

  /**
   * Takes in a run that was exported. It never continues itself; a fork of it does. Where an answer was lost on its way, the
   * next try is refused by the code {@code run-known}, for then the run is there.
   *
   * @param export what {@link #exportRun} gave, as it was
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> importRun(String export) {
    return importRun(export, CallOptions.defaults());
  }

  /**
   * Takes in a run that was exported. It never continues itself; a fork of it does. Where an answer was lost on its way, the
   * next try is refused by the code {@code run-known}, for then the run is there.
   *
   * @param export what {@link #exportRun} gave, as it was
   * @param options of this call
   * @return the run as it is now; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<RunRecord> importRun(String export, CallOptions options) {
    return calls.handOut(copies.importRun(export, options));
  }

  /**
   * The workflows that are registered, in the order of their registration.
   *
   * @return the workflows; the future fails with a {@link FlowgateException} as the blocking call throws
   *     it
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<List<WorkflowItem>> listWorkflows() {
    return listWorkflows(CallOptions.defaults());
  }

  /**
   * The workflows that are registered, in the order of their registration.
   *
   * @param options of this call
   * @return the workflows; the future fails with a {@link FlowgateException} as the blocking call throws
   *     it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<List<WorkflowItem>> listWorkflows(CallOptions options) {
    return calls.handOut(versions.listWorkflows(options));
  }

  /**
   * Unregisters a workflow: later starts do not find it, its runs go on, and its versions stay as long as a run needs them.
   * Where an answer was lost on its way, the next try is refused by the code {@code unknown-workflow}, for then it may be done.
   *
   * @param workflowId of the workflow
   * @return completed once it is not registered any more; the future fails with a {@link FlowgateException} as the blocking
   *     call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Void> deleteWorkflow(String workflowId) {
    return deleteWorkflow(workflowId, CallOptions.defaults());
  }

  /**
   * Unregisters a workflow: later starts do not find it, its runs go on, and its versions stay as long as a run needs them.
   * Where an answer was lost on its way, the next try is refused by the code {@code unknown-workflow}, for then it may be done.
   *
   * @param workflowId of the workflow
   * @param options of this call
   * @return completed once it is not registered any more; the future fails with a {@link FlowgateException} as the blocking
   *     call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Void> deleteWorkflow(String workflowId, CallOptions options) {
    return calls.handOut(versions.deleteWorkflow(workflowId, options));
  }

  /**
   * Reads a workflow.
   *
   * @param workflowId of the workflow
   * @return the version, whole; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<WorkflowDetails> getWorkflow(String workflowId) {
    return getWorkflow(workflowId, null, CallOptions.defaults());
  }

  /**
   * Reads a workflow.
   *
   * @param workflowId of the workflow
   * @param hash of a version; null: the one that is registered
   * @return the version, whole; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<WorkflowDetails> getWorkflow(String workflowId, String hash) {
    return getWorkflow(workflowId, hash, CallOptions.defaults());
  }

  /**
   * Reads a workflow.
   *
   * @param workflowId of the workflow
   * @param hash of a version; null: the one that is registered
   * @param options of this call
   * @return the version, whole; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<WorkflowDetails> getWorkflow(String workflowId, String hash, CallOptions options) {
    return calls.handOut(versions.getWorkflow(workflowId, hash, options));
  }

  /**
   * One page of the versions of a workflow that the service keeps, newest first.
   *
   * @param workflowId of the workflow
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Page<WorkflowVersion>> listVersions(String workflowId) {
    return listVersions(workflowId, PageOptions.defaults());
  }

  /**
   * One page of the versions of a workflow that the service keeps, newest first.
   *
   * @param workflowId of the workflow
   * @param options of this call
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Page<WorkflowVersion>> listVersions(String workflowId, PageOptions options) {
    return calls.handOut(versions.listVersions(workflowId, options));
  }

  /**
   * What is other in one version of a workflow than in another.
   *
   * @param workflowId of the workflow
   * @param from hash of the earlier one
   * @param to hash of the later one
   * @return the differences; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<WorkflowDiff> diffVersions(String workflowId, String from, String to) {
    return diffVersions(workflowId, from, to, CallOptions.defaults());
  }

  /**
   * What is other in one version of a workflow than in another.
   *
   * @param workflowId of the workflow
   * @param from hash of the earlier one
   * @param to hash of the later one
   * @param options of this call
   * @return the differences; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<WorkflowDiff> diffVersions(String workflowId, String from, String to, CallOptions options) {
    return calls.handOut(versions.diffVersions(workflowId, from, to, options));
  }

  /**
   * Has the service check a workflow as if it were registered, names that units are used by included. Nothing is registered.
   *
   * @param source the path of a readable file, else the YAML text itself
   * @return what it found: a workflow that is wrong is an answer; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<ServiceValidation> validateOnService(String source) {
    return validateOnService(source, Map.of(), CallOptions.defaults());
  }

  /**
   * Has the service check a workflow as if it were registered, names that units are used by included. Nothing is registered.
   *
   * @param source the path of a readable file, else the YAML text itself
   * @param bindings where its {@code uses} names live; may be empty
   * @return what it found: a workflow that is wrong is an answer; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<ServiceValidation> validateOnService(String source, Map<String, HttpBinding> bindings) {
    return validateOnService(source, bindings, CallOptions.defaults());
  }

  /**
   * Has the service check a workflow as if it were registered, names that units are used by included. Nothing is registered.
   *
   * @param source the path of a readable file, else the YAML text itself
   * @param bindings where its {@code uses} names live; may be empty
   * @param options of this call
   * @return what it found: a workflow that is wrong is an answer; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<ServiceValidation> validateOnService(
      String source, Map<String, HttpBinding> bindings, CallOptions options) {
    return calls.handOut(versions.validate(source, bindings, options));
  }

  /**
   * The best five of what units answered before.
   *
   * @param query the text to look for; nothing is found by an empty one
   * @return the hits, best first; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<MemorySearch> searchMemory(String query) {
    return searchMemory(query, DEFAULT_TOP_K, CallOptions.defaults());
  }

  /**
   * What units answered before.
   *
   * @param query the text to look for; nothing is found by an empty one
   * @param topK how many hits at most; more than 100 count as 100
   * @return the hits, best first; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<MemorySearch> searchMemory(String query, int topK) {
    return searchMemory(query, topK, CallOptions.defaults());
  }

  /**
   * What units answered before.
   *
   * @param query the text to look for; nothing is found by an empty one
   * @param topK how many hits at most; more than 100 count as 100
   * @param options of this call
   * @return the hits, best first; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<MemorySearch> searchMemory(String query, int topK, CallOptions options) {
    return calls.handOut(operations.searchMemory(query, topK, options));
  }

  /**
   * How the service fares, also one that cannot serve: then {@code ok} is false.
   *
   * @return how it fares; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Health> health() {
    return health(CallOptions.defaults());
  }

  /**
   * How the service fares, also one that cannot serve: then {@code ok} is false.
   *
   * @param options of this call
   * @return how it fares; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Health> health(CallOptions options) {
    return calls.handOut(operations.health(options));
  }

  /**
   * Who is asking, and what they may. Where nobody is asked, {@code auth} is {@code none}.
   *
   * @return who that is; the future fails with a {@link FlowgateException} as the blocking call throws
   *     it
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<WhoAmI> whoami() {
    return whoami(CallOptions.defaults());
  }

  /**
   * Who is asking, and what they may. Where nobody is asked, {@code auth} is {@code none}.
   *
   * @param options of this call
   * @return who that is; the future fails with a {@link FlowgateException} as the blocking call throws
   *     it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<WhoAmI> whoami(CallOptions options) {
    return calls.handOut(keys.whoami(options));
  }

  /**
   * Makes an API key, whose secret is shown this once. It is sent once: where the answer is lost, look for the key among those that
   * are listed, and revoke it.
   *
   * @param options what it is to be
   * @return the key, and its secret; the future fails with a {@link FlowgateException} as the blocking call throws
   *     it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<MadeKey> makeKey(MakeKeyOptions options) {
    return calls.handOut(keys.make(options));
  }

  /**
   * One page of API keys, newest first.
   *
   * @param query which keys
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws
   *     it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Page<ApiKey>> listKeys(KeysQuery query) {
    return calls.handOut(keys.list(query));
  }

  /**
   * Gives a key another secret, which is shown this once; it expires when it would have. It is sent once.
   *
   * @param id of the key
   * @return the key, and its new secret; the future fails with a {@link FlowgateException} as the blocking call throws
   *     it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<MadeKey> rotateKey(String id) {
    return rotateKey(id, RotateKeyOptions.defaults());
  }

  /**
   * Gives a key another secret, which is shown this once; it expires when it would have. It is sent once.
   *
   * @param id of the key
   * @param options of this call
   * @return the key, and its new secret; the future fails with a {@link FlowgateException} as the blocking call throws
   *     it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<MadeKey> rotateKey(String id, RotateKeyOptions options) {
    return calls.handOut(keys.rotate(id, options));
  }

  /**
   * Revokes a key, and those that it made. Where an answer was lost on its way, the next try is refused by the code
   * {@code unknown-key}, for then it may be done.
   *
   * @param id of the key
   * @return completed once it is done; the future fails with a {@link FlowgateException} as the blocking call throws
   *     it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Void> revokeKey(String id) {
    return revokeKey(id, CallOptions.defaults());
  }

  /**
   * Revokes a key, and those that it made. Where an answer was lost on its way, the next try is refused by the code
   * {@code unknown-key}, for then it may be done.
   *
   * @param id of the key
   * @param options of this call
   * @return completed once it is done; the future fails with a {@link FlowgateException} as the blocking call throws
   *     it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Void> revokeKey(String id, CallOptions options) {
    return calls.handOut(keys.revoke(id, options));
  }

  /**
   * Revokes all that an owner has: their keys, and the tokens that were issued to them until now.
   *
   * @param owner the account
   * @return completed once it is done; the future fails with a {@link FlowgateException} as the blocking call throws
   *     it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Void> revokeOwner(String owner) {
    return revokeOwner(owner, CallOptions.defaults());
  }

  /**
   * Revokes all that an owner has: their keys, and the tokens that were issued to them until now.
   *
   * @param owner the account
   * @param options of this call
   * @return completed once it is done; the future fails with a {@link FlowgateException} as the blocking call throws
   *     it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Void> revokeOwner(String owner, CallOptions options) {
    return calls.handOut(keys.revokeOwner(owner, options));
  }

  /**
   * One page of who did what, newest first. It needs {@code audit:read}.
   *
   * @param query which acts
   * @return the page; the future fails with a {@link FlowgateException} as the blocking call throws it
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public CompletableFuture<Page<AuditItem>> listAudit(AuditQuery query) {
    return calls.handOut(keys.audit(query));
  }
}
