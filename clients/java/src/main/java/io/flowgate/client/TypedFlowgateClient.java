package io.flowgate.client;

import io.flowgate.client.internal.calls.Calls;
import io.flowgate.client.internal.calls.Operations;
import java.util.Map;

/**
 * The calls of a {@link FlowgateClient} with records in place of texts. Each blocks its thread until the answer is here, and
 * responds to interruption. It may be used by many threads, virtual ones too.
 */
public final class TypedFlowgateClient {
  private static final int DEFAULT_TOP_K = 5;

  private final Calls calls;
  private final Operations operations;

  TypedFlowgateClient(Calls calls, Operations operations) {
    this.calls = calls;
    this.operations = operations;
  }

  /**
   * Checks a workflow here, by the published schema, then registers it, or replaces it for later runs.
   *
   * @param source the path of a readable file, else the YAML text itself
   * @return the workflow's id, and what the service notes
   * @throws FlowgateApiException the service refuses, or something else answers in its place
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
   * @throws FlowgateApiException the service refuses, or something else answers in its place
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
   * @throws FlowgateApiException the service refuses, or something else answers in its place
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
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
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
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord startWorkflow(String workflowId, Object input, StartOptions options) {
    return calls.await(operations.startWorkflow(workflowId, input, options));
  }

  /**
   * Reads a run.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
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
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord getRun(String workflowId, String runId, CallOptions options) {
    return calls.await(operations.getRun(workflowId, runId, options));
  }

  /**
   * Goes on after a pause, or tries a failed run again.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord resume(String workflowId, String runId) {
    return resume(workflowId, runId, ResumeOptions.defaults());
  }

  /**
   * Goes on after a pause, tries a failed run again, or goes back to the checkpoint that the options name; under the budget
   * that they name, if any.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord resume(String workflowId, String runId, ResumeOptions options) {
    return calls.await(operations.resume(workflowId, runId, options));
  }

  /**
   * Ends a run: what is in flight is told, then the units of its {@code onCancel} run. It is then failed, and its error says
   * who cancelled it; one that is over already is answered as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord cancel(String workflowId, String runId) {
    return cancel(workflowId, runId, StopOptions.defaults());
  }

  /**
   * Ends a run: what is in flight is told, then the units of its {@code onCancel} run. It is then failed, and its error says
   * who cancelled it; one that is over already is answered as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord cancel(String workflowId, String runId, StopOptions options) {
    return calls.await(operations.cancel(workflowId, runId, options));
  }

  /**
   * Has a run stand still until it is resumed; one that is paused or over already is answered as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord pause(String workflowId, String runId) {
    return pause(workflowId, runId, StopOptions.defaults());
  }

  /**
   * Has a run stand still until it is resumed; one that is paused or over already is answered as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord pause(String workflowId, String runId, StopOptions options) {
    return calls.await(operations.pause(workflowId, runId, options));
  }

  /**
   * Decides at the gate that is open, and goes on.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param approved true approves, false rejects
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public RunRecord respondHitl(String workflowId, String runId, boolean approved) {
    return respondHitl(workflowId, runId, approved, RespondOptions.defaults());
  }

  /**
   * Decides at the gate that is open, or at the one that the options name, and goes on.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param approved true approves, false rejects
   * @param options of this call
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
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
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
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
   * @return the run as it stands
   * @throws FlowgateApiException the service refuses, or something else answers in its place
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
   * @throws FlowgateApiException the service refuses, or something else answers in its place
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
   * @throws FlowgateApiException the service refuses, or something else answers in its place
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public MessagePage getMessages(String workflowId, String runId, MessagesOptions options) {
    return calls.await(operations.getMessages(workflowId, runId, options));
  }

  /**
   * The best five of what units answered before.
   *
   * @param query the text to look for; nothing is found by an empty one
   * @return the hits, best first
   * @throws FlowgateApiException the service refuses, or something else answers in its place
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
   * @param topK how many hits at most; more than 100 are cut to 100
   * @return the hits, best first
   * @throws FlowgateApiException the service refuses, or something else answers in its place
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
   * @param topK how many hits at most; more than 100 are cut to 100
   * @param options of this call
   * @return the hits, best first
   * @throws FlowgateApiException the service refuses, or something else answers in its place
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
   * @throws FlowgateApiException the service refuses, or something else answers in its place
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
   * @throws FlowgateApiException the service refuses, or something else answers in its place
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Health health(CallOptions options) {
    return calls.await(operations.health(options));
  }
}
