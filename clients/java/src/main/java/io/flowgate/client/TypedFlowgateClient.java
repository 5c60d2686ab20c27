package io.flowgate.client;

import io.flowgate.client.internal.calls.Calls;
import io.flowgate.client.internal.calls.Connection;
import io.flowgate.client.internal.calls.Keys;
import io.flowgate.client.internal.calls.Operations;
import io.flowgate.client.internal.calls.RunBatches;
import io.flowgate.client.internal.calls.RunCopies;
import io.flowgate.client.internal.calls.RunLists;
import io.flowgate.client.internal.calls.Watches;
import io.flowgate.client.internal.calls.WorkflowVersions;
import java.util.List;
import java.util.Map;

/**
 * The calls of a {@link FlowgateClient} with records in place of texts. Each blocks its thread until the answer is here, and
 * responds to interruption. It may be used by many threads, virtual ones too.
 */
public final class TypedFlowgateClient {
  private static final int DEFAULT_TOP_K = 5;

  private final Calls calls;
  private final Operations operations;
  private final RunBatches batches;
  private final RunLists lists;
  private final RunCopies copies;
  private final WorkflowVersions versions;
  private final Keys keys;
  private final Watches watches;

  TypedFlowgateClient(Connection connection) {
    calls = connection.calls();
    operations = connection.operations();
    batches = connection.batches();
    lists = connection.lists();
    copies = connection.copies();
    versions = connection.versions();
    keys = connection.keys();
    watches = connection.watches();
  }

  /**
   * Checks a workflow here, by the published schema, then registers it, or replaces it for later runs.
   *
   * @param source the path of a readable file, else the YAML text itself
   * @return the workflow's id, and what the service notes
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateValidationException the workflow is wrong
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RegisteredWorkflow loadAndRegister(String source) {
    return loadAndRegister(source, Map.of(), CallOptions.defaults());
  }

  /**
   * Checks a workflow here, by the published schema, then registers it, or replaces it for later runs.
   *
   * @param source the path of a readable file, else the YAML text itself
   * @param bindings where its {@code uses} names live; may be empty
   * @return the workflow's id, and what the service notes
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateValidationException the workflow is wrong
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RegisteredWorkflow loadAndRegister(String source, Map<String, HttpBinding> bindings) {
    return loadAndRegister(source, bindings, CallOptions.defaults());
  }

  /**
   * Checks a workflow here, by the published schema, then registers it, or replaces it for later runs.
   *
   * @param source the path of a readable file, else the YAML text itself
   * @param bindings where its {@code uses} names live; may be empty
   * @param options of this call
   * @return the workflow's id, and what the service notes
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateValidationException the workflow is wrong
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RegisteredWorkflow loadAndRegister(String source, Map<String, HttpBinding> bindings, CallOptions options) {
    return calls.await(operations.loadAndRegister(source, bindings, options));
  }

  /**
   * Starts a run; the answer comes at once.
   *
   * @param workflowId of the workflow
   * @param input the first keys of the shared state: a {@code Map}, a record or a bean, which Jackson writes; null is an empty object
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord startWorkflow(String workflowId, Object input) {
    return startWorkflow(workflowId, input, StartOptions.defaults());
  }

  /**
   * Starts a run. A run that fails is an answer, not an error: look at its status.
   *
   * @param workflowId of the workflow
   * @param input the first keys of the shared state: a {@code Map}, a record or a bean, which Jackson writes; null is an empty object
   * @param options of this call
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord startWorkflow(String workflowId, Object input, StartOptions options) {
    return calls.await(operations.startWorkflow(workflowId, input, options));
  }

  /**
   * Starts 1 to 1,000 runs of one workflow, each by itself: one that is refused stops no other. Where the call fails in the
   * middle, make it again with the same keys: what has begun is answered, and the rest is started.
   *
   * @param workflowId of the workflow
   * @param runs to start, each with its own key if you give one
   * @return what became of each, in their order
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public StartedBatch startBatch(String workflowId, List<BatchedStart> runs) {
    return startBatch(workflowId, runs, CallOptions.defaults());
  }

  /**
   * Starts 1 to 1,000 runs of one workflow, each by itself: one that is refused stops no other. Where the call fails in the
   * middle, make it again with the same keys: what has begun is answered, and the rest is started.
   *
   * @param workflowId of the workflow
   * @param runs to start, each with its own key if you give one
   * @param options of this call
   * @return what became of each, in their order
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public StartedBatch startBatch(String workflowId, List<BatchedStart> runs, CallOptions options) {
    return calls.await(batches.startBatch(workflowId, runs, options));
  }

  /**
   * Reads a run.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord getRun(String workflowId, String runId) {
    return getRun(workflowId, runId, CallOptions.defaults());
  }

  /**
   * Reads a run.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord getRun(String workflowId, String runId, CallOptions options) {
    return calls.await(operations.getRun(workflowId, runId, options));
  }

  /**
   * Reads all that is known of a run, whatever its status, and where and why it failed.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public FullRunRecord getFullRun(String workflowId, String runId) {
    return getFullRun(workflowId, runId, CallOptions.defaults());
  }

  /**
   * Reads all that is known of a run, whatever its status, and where and why it failed.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public FullRunRecord getFullRun(String workflowId, String runId, CallOptions options) {
    return calls.await(operations.getFullRun(workflowId, runId, options));
  }

  /**
   * Continues after a pause, or tries a failed run again.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord resume(String workflowId, String runId) {
    return resume(workflowId, runId, ResumeOptions.defaults());
  }

  /**
   * Continues after a pause, tries a failed run again, or goes back to the checkpoint that the options name; under the
   * budget that they name, if any.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord resume(String workflowId, String runId, ResumeOptions options) {
    return calls.await(operations.resume(workflowId, runId, options));
  }

  /**
   * Ends a run: what is in flight is notified, then the units of its {@code onCancel} run. It is then failed, and its error
   * says who cancelled it; one that is over already is answered as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord cancel(String workflowId, String runId) {
    return cancel(workflowId, runId, StopOptions.defaults());
  }

  /**
   * Ends a run: what is in flight is notified, then the units of its {@code onCancel} run. It is then failed, and its error
   * says who cancelled it; one that is over already is answered as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord cancel(String workflowId, String runId, StopOptions options) {
    return calls.await(operations.cancel(workflowId, runId, options));
  }

  /**
   * Pauses a run until it is resumed; one that is paused or over already is returned as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord pause(String workflowId, String runId) {
    return pause(workflowId, runId, StopOptions.defaults());
  }

  /**
   * Pauses a run until it is resumed; one that is paused or over already is returned as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord pause(String workflowId, String runId, StopOptions options) {
    return calls.await(operations.pause(workflowId, runId, options));
  }

  /**
   * Tries again each compensation of a run that failed; the run must be over, and ends as it had ended. Where none has failed
   * it is refused: 409, {@code nothing-to-compensate}.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord compensate(String workflowId, String runId) {
    return compensate(workflowId, runId, StopOptions.defaults());
  }

  /**
   * Tries again each compensation of a run that failed; the run must be over, and ends as it had ended. Where none has failed
   * it is refused: 409, {@code nothing-to-compensate}.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord compensate(String workflowId, String runId, StopOptions options) {
    return calls.await(operations.compensate(workflowId, runId, options));
  }

  /**
   * Decides at the gate that is open, and continues.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param approved true approves, false rejects
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord respondHitl(String workflowId, String runId, boolean approved) {
    return respondHitl(workflowId, runId, approved, RespondOptions.defaults());
  }

  /**
   * Decides at the gate that is open, or at the one that the options name, and continues.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param approved true approves, false rejects
   * @param options of this call
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord respondHitl(String workflowId, String runId, boolean approved, RespondOptions options) {
    return calls.await(operations.respondHitl(workflowId, runId, approved, options));
  }

  /**
   * Asks until the run is completed, paused or failed, however long that takes.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateWaitTimeoutException it was not over in the time of the options
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord waitForRun(String workflowId, String runId) {
    return waitForRun(workflowId, runId, WaitOptions.defaults());
  }

  /**
   * Asks until the run is completed, paused or failed.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateWaitTimeoutException it was not over in the time of the options
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord waitForRun(String workflowId, String runId, WaitOptions options) {
    return calls.await(operations.waitForRun(workflowId, runId, options));
  }

  /**
   * The first page of what happened in the run, oldest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public MessagePage getMessages(String workflowId, String runId) {
    return getMessages(workflowId, runId, MessagesOptions.defaults());
  }

  /**
   * One page of what happened in the run, oldest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public MessagePage getMessages(String workflowId, String runId, MessagesOptions options) {
    return calls.await(operations.getMessages(workflowId, runId, options));
  }

  /**
   * The runs of all workflows for which all holds that is asked, newest first: one page of them.
   *
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalStateException the client is closed
   */
  public Page<RunItem> listRuns() {
    return listRuns(RunsQuery.all());
  }

  /**
   * The runs of all workflows for which all holds that is asked, newest first: one page of them.
   *
   * @param query which runs
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Page<RunItem> listRuns(RunsQuery query) {
    return calls.await(lists.listRuns(query));
  }

  /**
   * The gates of all runs that wait for a decision, or those that were decided, newest first: one page of them.
   *
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalStateException the client is closed
   */
  public GatePage listGates() {
    return listGates(GatesQuery.defaults());
  }

  /**
   * The gates of all runs that wait for a decision, or those that were decided, newest first: one page of them.
   *
   * @param query which gates
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public GatePage listGates(GatesQuery query) {
    return calls.await(lists.listGates(query));
  }

  /**
   * Makes a new run that begins where another was, which stays as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the new run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord fork(String workflowId, String runId) {
    return fork(workflowId, runId, ForkOptions.defaults());
  }

  /**
   * Makes a new run that begins where another was, which stays as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options from where on, and with what other than it had
   * @return the new run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord fork(String workflowId, String runId, ForkOptions options) {
    return calls.await(copies.fork(workflowId, runId, options));
  }

  /**
   * One page of what the run did, oldest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public EventPage events(String workflowId, String runId) {
    return events(workflowId, runId, EventsOptions.defaults());
  }

  /**
   * One page of what the run did, oldest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public EventPage events(String workflowId, String runId, EventsOptions options) {
    return calls.await(lists.events(workflowId, runId, options));
  }

  /**
   * One thing that the run did, whole.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param seq its position in the log
   * @return the event
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public PublicEvent event(String workflowId, String runId, long seq) {
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
   * @return the event
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public PublicEvent event(String workflowId, String runId, long seq, EventView view, CallOptions options) {
    return calls.await(lists.event(workflowId, runId, seq, view, options));
  }

  /**
   * One page of the checkpoints of the run, newest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Page<SnapshotItem> listSnapshots(String workflowId, String runId) {
    return listSnapshots(workflowId, runId, PageOptions.defaults());
  }

  /**
   * One page of the checkpoints of the run, newest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Page<SnapshotItem> listSnapshots(String workflowId, String runId, PageOptions options) {
    return calls.await(lists.listSnapshots(workflowId, runId, options));
  }

  /**
   * The whole run as a text that another service can import.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return lines of JSON, as they came: keep them byte for byte, in UTF-8
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String exportRun(String workflowId, String runId) {
    return exportRun(workflowId, runId, CallOptions.defaults());
  }

  /**
   * The whole run as a text that another service can import.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return lines of JSON, as they came: keep them byte for byte, in UTF-8
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String exportRun(String workflowId, String runId, CallOptions options) {
    return calls.await(copies.exportRun(workflowId, runId, options));
  }

  /**
   * Takes in a run that was exported. It never continues itself; a fork of it does. Where an answer was lost on its way, the
   * next try is refused by the code {@code run-known}, for then the run is there.
   *
   * @param export what {@link #exportRun} gave, as it was
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord importRun(String export) {
    return importRun(export, CallOptions.defaults());
  }

  /**
   * Takes in a run that was exported. It never continues itself; a fork of it does. Where an answer was lost on its way, the
   * next try is refused by the code {@code run-known}, for then the run is there.
   *
   * @param export what {@link #exportRun} gave, as it was
   * @param options of this call
   * @return the run as it is now
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord importRun(String export, CallOptions options) {
    return calls.await(copies.importRun(export, options));
  }

  /**
   * The workflows that are registered, in the order of their registration.
   *
   * @return the workflows
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalStateException the client is closed
   */
  public List<WorkflowItem> listWorkflows() {
    return listWorkflows(CallOptions.defaults());
  }

  /**
   * The workflows that are registered, in the order of their registration.
   *
   * @param options of this call
   * @return the workflows
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public List<WorkflowItem> listWorkflows(CallOptions options) {
    return calls.await(versions.listWorkflows(options));
  }

  /**
   * Unregisters a workflow: later starts do not find it, its runs go on, and its versions stay as long as a run needs them.
   * Where an answer was lost on its way, the next try is refused by the code {@code unknown-workflow}, for then it may be done.
   *
   * @param workflowId of the workflow
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public void deleteWorkflow(String workflowId) {
    deleteWorkflow(workflowId, CallOptions.defaults());
  }

  /**
   * Unregisters a workflow: later starts do not find it, its runs go on, and its versions stay as long as a run needs them.
   * Where an answer was lost on its way, the next try is refused by the code {@code unknown-workflow}, for then it may be done.
   *
   * @param workflowId of the workflow
   * @param options of this call
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public void deleteWorkflow(String workflowId, CallOptions options) {
    calls.await(versions.deleteWorkflow(workflowId, options));
  }

  /**
   * Reads a workflow.
   *
   * @param workflowId of the workflow
   * @return the version, whole
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public WorkflowDetails getWorkflow(String workflowId) {
    return getWorkflow(workflowId, null, CallOptions.defaults());
  }

  /**
   * Reads a workflow.
   *
   * @param workflowId of the workflow
   * @param hash of a version; null: the one that is registered
   * @return the version, whole
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public WorkflowDetails getWorkflow(String workflowId, String hash) {
    return getWorkflow(workflowId, hash, CallOptions.defaults());
  }

  /**
   * Reads a workflow.
   *
   * @param workflowId of the workflow
   * @param hash of a version; null: the one that is registered
   * @param options of this call
   * @return the version, whole
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public WorkflowDetails getWorkflow(String workflowId, String hash, CallOptions options) {
    return calls.await(versions.getWorkflow(workflowId, hash, options));
  }

  /**
   * One page of the versions of a workflow that the service keeps, newest first.
   *
   * @param workflowId of the workflow
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Page<WorkflowVersion> listVersions(String workflowId) {
    return listVersions(workflowId, PageOptions.defaults());
  }

  /**
   * One page of the versions of a workflow that the service keeps, newest first.
   *
   * @param workflowId of the workflow
   * @param options of this call
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Page<WorkflowVersion> listVersions(String workflowId, PageOptions options) {
    return calls.await(versions.listVersions(workflowId, options));
  }

  /**
   * What is other in one version of a workflow than in another.
   *
   * @param workflowId of the workflow
   * @param from hash of the earlier one
   * @param to hash of the later one
   * @return the differences
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public WorkflowDiff diffVersions(String workflowId, String from, String to) {
    return diffVersions(workflowId, from, to, CallOptions.defaults());
  }

  /**
   * What is other in one version of a workflow than in another.
   *
   * @param workflowId of the workflow
   * @param from hash of the earlier one
   * @param to hash of the later one
   * @param options of this call
   * @return the differences
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public WorkflowDiff diffVersions(String workflowId, String from, String to, CallOptions options) {
    return calls.await(versions.diffVersions(workflowId, from, to, options));
  }

  /**
   * Has the service check a workflow as if it were registered, names that units are used by included. Nothing is registered.
   *
   * @param source the path of a readable file, else the YAML text itself
   * @return what it found: a workflow that is wrong is an answer
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateValidationException the workflow is a file that is none
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public ServiceValidation validateOnService(String source) {
    return validateOnService(source, Map.of(), CallOptions.defaults());
  }

  /**
   * Has the service check a workflow as if it were registered, names that units are used by included. Nothing is registered.
   *
   * @param source the path of a readable file, else the YAML text itself
   * @param bindings where its {@code uses} names live; may be empty
   * @return what it found: a workflow that is wrong is an answer
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateValidationException the workflow is a file that is none
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public ServiceValidation validateOnService(String source, Map<String, HttpBinding> bindings) {
    return validateOnService(source, bindings, CallOptions.defaults());
  }

  /**
   * Has the service check a workflow as if it were registered, names that units are used by included. Nothing is registered.
   *
   * @param source the path of a readable file, else the YAML text itself
   * @param bindings where its {@code uses} names live; may be empty
   * @param options of this call
   * @return what it found: a workflow that is wrong is an answer
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateValidationException the workflow is a file that is none
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public ServiceValidation validateOnService(String source, Map<String, HttpBinding> bindings, CallOptions options) {
    return calls.await(versions.validate(source, bindings, options));
  }

  /**
   * What the run does, as it happens, until it is over and all was delivered.
   *
   * <p>Close it, unless it is read to its end.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return what is delivered, one after another; the service has agreed to it
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Watch<PublicEvent> watchRun(String workflowId, String runId) {
    return watchRun(workflowId, runId, WatchOptions.defaults());
  }

  /**
   * What the run does, as it happens, until it is over and all was delivered.
   *
   * <p>Close it, unless it is read to its end.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options how it is watched
   * @return what is delivered, one after another; the service has agreed to it
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Watch<PublicEvent> watchRun(String workflowId, String runId, WatchOptions options) {
    return new Watch<>(watches.run(workflowId, runId, options));
  }

  /**
   * What all runs do, from now on or after an earlier position, for as long as it is read. Where that position is not known
   * any more, an event of the type {@code reset} says so, and it continues from now.
   *
   * <p>Close it.
   *
   * @return what is delivered, one after another; the service has agreed to it
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalStateException the client is closed
   */
  public Watch<PublicEvent> watchAll() {
    return watchAll(WatchOptions.defaults());
  }

  /**
   * What all runs do, from now on or after an earlier position, for as long as it is read. Where that position is not known
   * any more, an event of the type {@code reset} says so, and it continues from now.
   *
   * <p>Close it.
   *
   * @param options how it is watched
   * @return what is delivered, one after another; the service has agreed to it
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Watch<PublicEvent> watchAll(WatchOptions options) {
    return new Watch<>(watches.all(options));
  }

  /**
   * A list of runs as it is, and what becomes of it.
   *
   * <p>Close it.
   *
   * @param query which runs; the time in it does not matter
   * @return what is delivered, one after another; the service has agreed to it
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Watch<ListChange<RunItem>> watchRuns(RunsQuery query) {
    return watchRuns(query, WatchOptions.defaults());
  }

  /**
   * A list of runs as it is, and what becomes of it.
   *
   * <p>Close it.
   *
   * @param query which runs; the time in it does not matter
   * @param options how it is watched
   * @return what is delivered, one after another; the service has agreed to it
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Watch<ListChange<RunItem>> watchRuns(RunsQuery query, WatchOptions options) {
    return new Watch<>(watches.runs(query, options));
  }

  /**
   * A list of gates as it is, and what becomes of it.
   *
   * <p>Close it.
   *
   * @param query which gates; the time in it does not matter
   * @return what is delivered, one after another; the service has agreed to it
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Watch<ListChange<GateItem>> watchGates(GatesQuery query) {
    return watchGates(query, WatchOptions.defaults());
  }

  /**
   * A list of gates as it is, and what becomes of it.
   *
   * <p>Close it.
   *
   * @param query which gates; the time in it does not matter
   * @param options how it is watched
   * @return what is delivered, one after another; the service has agreed to it
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Watch<ListChange<GateItem>> watchGates(GatesQuery query, WatchOptions options) {
    return new Watch<>(watches.gates(query, options));
  }

  /**
   * The best five of what units answered before.
   *
   * @param query the text to look for; nothing is found by an empty one
   * @return the hits, best first
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public MemorySearch searchMemory(String query) {
    return searchMemory(query, DEFAULT_TOP_K, CallOptions.defaults());
  }

  /**
   * What units answered before.
   *
   * @param query the text to look for; nothing is found by an empty one
   * @param topK how many hits at most; more than 100 count as 100
   * @return the hits, best first
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public MemorySearch searchMemory(String query, int topK) {
    return searchMemory(query, topK, CallOptions.defaults());
  }

  /**
   * What units answered before.
   *
   * @param query the text to look for; nothing is found by an empty one
   * @param topK how many hits at most; more than 100 count as 100
   * @param options of this call
   * @return the hits, best first
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public MemorySearch searchMemory(String query, int topK, CallOptions options) {
    return calls.await(operations.searchMemory(query, topK, options));
  }

  /**
   * How the service fares, also one that cannot serve: then {@code ok} is false.
   *
   * @return how it fares
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalStateException the client is closed
   */
  public Health health() {
    return health(CallOptions.defaults());
  }

  /**
   * How the service fares, also one that cannot serve: then {@code ok} is false.
   *
   * @param options of this call
   * @return how it fares
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Health health(CallOptions options) {
    return calls.await(operations.health(options));
  }

  /**
   * Who is asking, and what they may. Where nobody is asked, {@code auth} is {@code none}.
   *
   * @return who that is
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalStateException the client is closed
   */
  public WhoAmI whoami() {
    return whoami(CallOptions.defaults());
  }

  /**
   * Who is asking, and what they may. Where nobody is asked, {@code auth} is {@code none}.
   *
   * @param options of this call
   * @return who that is
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public WhoAmI whoami(CallOptions options) {
    return calls.await(keys.whoami(options));
  }

  /**
   * Makes an API key, whose secret is shown this once. It is sent once: where the answer is lost, look for the key among those that
   * are listed, and revoke it.
   *
   * @param options what it is to be
   * @return the key, and its secret
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public MadeKey makeKey(MakeKeyOptions options) {
    return calls.await(keys.make(options));
  }

  /**
   * One page of API keys, newest first.
   *
   * @param query which keys
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Page<ApiKey> listKeys(KeysQuery query) {
    return calls.await(keys.list(query));
  }

  /**
   * Gives a key another secret, which is shown this once; it expires when it would have. It is sent once.
   *
   * @param id of the key
   * @return the key, and its new secret
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public MadeKey rotateKey(String id) {
    return rotateKey(id, RotateKeyOptions.defaults());
  }

  /**
   * Gives a key another secret, which is shown this once; it expires when it would have. It is sent once.
   *
   * @param id of the key
   * @param options of this call
   * @return the key, and its new secret
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public MadeKey rotateKey(String id, RotateKeyOptions options) {
    return calls.await(keys.rotate(id, options));
  }

  /**
   * Revokes a key, and those that it made. Where an answer was lost on its way, the next try is refused by the code
   * {@code unknown-key}, for then it may be done.
   *
   * @param id of the key
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public void revokeKey(String id) {
    revokeKey(id, CallOptions.defaults());
  }

  /**
   * Revokes a key, and those that it made. Where an answer was lost on its way, the next try is refused by the code
   * {@code unknown-key}, for then it may be done.
   *
   * @param id of the key
   * @param options of this call
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public void revokeKey(String id, CallOptions options) {
    calls.await(keys.revoke(id, options));
  }

  /**
   * Revokes all that an owner has: their keys, and the tokens that were issued to them until now.
   *
   * @param owner the account
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public void revokeOwner(String owner) {
    revokeOwner(owner, CallOptions.defaults());
  }

  /**
   * Revokes all that an owner has: their keys, and the tokens that were issued to them until now.
   *
   * @param owner the account
   * @param options of this call
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public void revokeOwner(String owner, CallOptions options) {
    calls.await(keys.revokeOwner(owner, options));
  }

  /**
   * One page of who did what, newest first. It needs {@code audit:read}.
   *
   * @param query which acts
   * @return the page
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Page<AuditItem> listAudit(AuditQuery query) {
    return calls.await(keys.audit(query));
  }
}
