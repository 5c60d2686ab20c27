package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import io.flowgate.client.internal.calls.Calls;
import io.flowgate.client.internal.calls.Connection;
import io.flowgate.client.internal.calls.Keys;
import io.flowgate.client.internal.calls.Operations;
import io.flowgate.client.internal.calls.RunBatches;
import io.flowgate.client.internal.calls.RunCopies;
import io.flowgate.client.internal.calls.RunLists;
import io.flowgate.client.internal.calls.Settings;
import io.flowgate.client.internal.calls.Watches;
import io.flowgate.client.internal.calls.WorkflowVersions;
import io.flowgate.client.internal.http.CallerHeaders;
import io.flowgate.client.internal.http.Credentials;
import io.flowgate.client.internal.http.ServiceAddress;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/**
 * Checks workflows, starts and steers runs of a Flowgate service (interface, "Client libraries"). The methods of this class
 * take and give JSON as text; {@link #typed()} has records in its place, {@link #async()} futures.
 *
 * <p>One client may be used by many threads, virtual ones too; make one per service and keep it. Its methods block their
 * thread until the answer is here, and respond to interruption. A call is tried again as {@link RetryOptions} say; starts,
 * forks, resumes and decisions carry an {@code Idempotency-Key}, made once for the call and kept over its tries, so that nothing is
 * done twice. Redirects are not followed. The client's threads are daemons; {@link #close()} ends them.
 */
public final class FlowgateClient implements AutoCloseable {
  private final List<String> apiGroups;
  private final Connection connection;
  private final Calls calls;
  private final Operations operations;
  private final RunBatches batches;
  private final RunLists lists;
  private final RunCopies copies;
  private final WorkflowVersions versions;
  private final Keys keys;
  private final Watches watches;
  private final TypedFlowgateClient typed;
  private final AsyncFlowgateClient async;

  /**
   * A client with what holds where nothing is said.
   *
   * @param baseUrl where the service is: {@code http://127.0.0.1:8787}, also with a path and a slash at its end
   * @throws IllegalArgumentException it is no such address
   */
  public FlowgateClient(String baseUrl) {
    this(builder(baseUrl));
  }

  private FlowgateClient(Builder builder) {
    apiGroups = builder.apiGroups;
    connection =
        new Connection(
            builder.settings(), source -> WorkflowCheck.of(source, builder.apiGroups).text(), WorkflowCheck::unchecked);
    calls = connection.calls();
    operations = connection.operations();
    batches = connection.batches();
    lists = connection.lists();
    copies = connection.copies();
    versions = connection.versions();
    keys = connection.keys();
    watches = connection.watches();
    typed = new TypedFlowgateClient(connection);
    async = new AsyncFlowgateClient(connection);
  }

  /**
   * For a client of your making.
   *
   * @param baseUrl where the service is: {@code http://127.0.0.1:8787}, also with a path and a slash at its end
   * @return a new builder
   * @throws IllegalArgumentException it is no such address
   */
  public static Builder builder(String baseUrl) {
    return new Builder(baseUrl);
  }

  /**
   * Checks a workflow here, by the published schema; asks nobody. What the text alone does not show (names that nothing
   * answers to, cycles, expressions) the service finds when the workflow is registered.
   *
   * @param yamlOrPath the path of a readable file, else the YAML text itself
   * @return what is wrong, all at once, or the workflow's id
   */
  public ValidationResult validate(String yamlOrPath) {
    return WorkflowCheck.of(yamlOrPath, apiGroups).result();
  }

  /**
   * Checks a workflow here, then registers it, or replaces it for later runs.
   *
   * @param yamlOrPath the path of a readable file, else the YAML text itself
   * @param bindingsJson where its {@code uses} names live: a JSON object, sent byte for byte; null or blank: none
   * @return the service's answer as it came: {@code {"workflowId":"…","note":"…"}}
   * @throws FlowgateValidationException the workflow is wrong; where it was found here, nobody was asked
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException the bindings are no JSON object
   * @throws IllegalStateException the client is closed
   */
  public String loadAndRegister(String yamlOrPath, String bindingsJson) {
    return calls.awaitText(operations.loadAndRegister(yamlOrPath, bindingsJson));
  }

  /**
   * Starts a run. A run that fails is an answer, not an error: look at its {@code status}.
   *
   * @param workflowId of the workflow
   * @param inputJson the first keys of the shared state: a JSON object, sent byte for byte; null is an empty object
   * @param options of this call
   * @return the run's record, as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String startWorkflow(String workflowId, String inputJson, StartOptions options) {
    return calls.awaitText(operations.startWorkflowWithJson(workflowId, inputJson, options));
  }

  /**
   * Starts a run. A run that fails is an answer, not an error: look at its {@code status}.
   *
   * @param workflowId of the workflow
   * @param inputJson the first keys of the shared state: a JSON object, sent byte for byte; null is an empty object
   * @param sync whether to wait until the run is completed, paused or failed, however long that takes
   * @return the run's record, as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String startWorkflow(String workflowId, String inputJson, boolean sync) {
    return calls.awaitText(operations.startWorkflowWithJson(workflowId, inputJson, StartOptions.defaults().sync(sync)));
  }

  /**
   * Starts 1 to 1,000 runs of one workflow, each by itself: one that is refused stops no other. Where the call fails in the
   * middle, make it again with the same keys: what has begun is answered, and the rest is started.
   *
   * @param workflowId of the workflow
   * @param runs to start, each with its own key if you give one
   * @return what became of each, in their order: {@code {"runs":[…]}}, as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String startBatch(String workflowId, List<BatchedStart> runs) {
    return calls.awaitText(batches.startBatch(workflowId, runs, CallOptions.defaults()));
  }

  /**
   * Reads a run.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run's record, as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String getRun(String workflowId, String runId) {
    return calls.awaitText(operations.getRun(workflowId, runId, CallOptions.defaults()));
  }

  /**
   * Reads all that is known of a run, whatever its status, and where and why it failed.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @return the run's full record, as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String getFullRun(String workflowId, String runId) {
    return calls.awaitText(operations.getFullRun(workflowId, runId, CallOptions.defaults()));
  }

  /**
   * Continues after a pause, tries a failed run again, or goes back to a checkpoint.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param snapshotId the checkpoint; empty: the latest
   * @return the run's record, as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String resume(String workflowId, String runId, Optional<String> snapshotId) {
    Objects.requireNonNull(snapshotId, "snapshotId must be an Optional: Optional.empty() for the latest");
    ResumeOptions options = ResumeOptions.defaults().snapshotId(snapshotId.orElse(null));
    return calls.awaitText(operations.resume(workflowId, runId, options));
  }

  /**
   * Ends a run: what is in flight is notified, then the units of its {@code onCancel} run. It is then failed, and its error
   * says who cancelled it; one that is over already is answered as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param by who asks for it, 1 to 256 characters; null: the service's {@code user}
   * @return the run's record, as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String cancel(String workflowId, String runId, String by) {
    return calls.awaitText(operations.cancel(workflowId, runId, StopOptions.defaults().by(by)));
  }

  /**
   * Pauses a run until it is resumed; one that is paused or over already is returned as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param by who asks for it, 1 to 256 characters; null: the service's {@code user}
   * @return the run's record, as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String pause(String workflowId, String runId, String by) {
    return calls.awaitText(operations.pause(workflowId, runId, StopOptions.defaults().by(by)));
  }

  /**
   * Tries again each compensation of a run that failed; the run must be over, and ends as it had ended. Where none has failed
   * it is refused: 409, {@code nothing-to-compensate}.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param by who asks for it, 1 to 256 characters; null: the service's {@code user}
   * @return the run's record, as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String compensate(String workflowId, String runId, String by) {
    return calls.awaitText(operations.compensate(workflowId, runId, StopOptions.defaults().by(by)));
  }

  /**
   * Decides at the gate that is open, and continues.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param approved true approves, false rejects
   * @param responder who decides, 1 to 256 characters; null: the service's {@code user}
   * @return the run's record, as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String respondHitl(String workflowId, String runId, boolean approved, String responder) {
    RespondOptions options = RespondOptions.defaults().responder(responder);
    return calls.awaitText(operations.respondHitl(workflowId, runId, approved, options));
  }

  /**
   * The runs of all workflows for which all holds that is asked, newest first: one page of them.
   *
   * @param query which runs
   * @return the service's answer as it came: {@code {"items":[…],"next":…}}
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String listRuns(RunsQuery query) {
    return calls.awaitText(lists.listRuns(query));
  }

  /**
   * The gates of all runs that wait for a decision, or those that were decided, newest first: one page of them.
   *
   * @param query which gates
   * @return the service's answer as it came: {@code {"items":[…],"next":…,"open":…}}
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String listGates(GatesQuery query) {
    return calls.awaitText(lists.listGates(query));
  }

  /**
   * Makes a new run that begins where another was, which stays as it is.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param forkJson from where on, and with what other than it had: a JSON object, sent byte for byte; null is an empty object
   * @return the new run's record, as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String fork(String workflowId, String runId, String forkJson) {
    return calls.awaitText(copies.forkWithJson(workflowId, runId, forkJson));
  }

  /**
   * One page of what the run did, oldest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the service's answer as it came: {@code {"items":[…],"next":…}}
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String events(String workflowId, String runId, EventsOptions options) {
    return calls.awaitText(lists.events(workflowId, runId, options));
  }

  /**
   * One thing that the run did, whole.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param seq its position in the log
   * @return the service's answer as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String event(String workflowId, String runId, long seq) {
    return calls.awaitText(lists.event(workflowId, runId, seq, EventView.PUBLIC, CallOptions.defaults()));
  }

  /**
   * One page of the checkpoints of the run, newest first.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options of this call
   * @return the service's answer as it came: {@code {"snapshots":[…],"next":…}}
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String listSnapshots(String workflowId, String runId, PageOptions options) {
    return calls.awaitText(lists.listSnapshots(workflowId, runId, options));
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
    return calls.awaitText(copies.exportRun(workflowId, runId, CallOptions.defaults()));
  }

  /**
   * Takes in a run that was exported. It never continues itself; a fork of it does. Where an answer was lost on its way, the
   * next try is refused by the code {@code run-known}, for then the run is there.
   *
   * @param export what {@link #exportRun} gave, as it was
   * @return the run's record, as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String importRun(String export) {
    return calls.awaitText(copies.importRun(export, CallOptions.defaults()));
  }

  /**
   * The workflows that are registered, in the order of their registration.
   *
   * @return the service's answer as it came: {@code {"items":[…]}}
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalStateException the client is closed
   */
  public String listWorkflows() {
    return calls.awaitText(versions.listWorkflows(CallOptions.defaults()));
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
    calls.await(versions.deleteWorkflow(workflowId, CallOptions.defaults()));
  }

  /**
   * Reads a workflow.
   *
   * @param workflowId of the workflow
   * @param hash of a version; null: the one that is registered
   * @return the service's answer as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String getWorkflow(String workflowId, String hash) {
    return calls.awaitText(versions.getWorkflow(workflowId, hash, CallOptions.defaults()));
  }

  /**
   * One page of the versions of a workflow that the service keeps, newest first.
   *
   * @param workflowId of the workflow
   * @param options of this call
   * @return the service's answer as it came: {@code {"items":[…],"next":…}}
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String listVersions(String workflowId, PageOptions options) {
    return calls.awaitText(versions.listVersions(workflowId, options));
  }

  /**
   * What is other in one version of a workflow than in another.
   *
   * @param workflowId of the workflow
   * @param from hash of the earlier one
   * @param to hash of the later one
   * @return the service's answer as it came: {@code {"text":…,"units":{…}}}
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String diffVersions(String workflowId, String from, String to) {
    return calls.awaitText(versions.diffVersions(workflowId, from, to, CallOptions.defaults()));
  }

  /**
   * Has the service check a workflow as if it were registered, names that units are used by included. Nothing is registered.
   *
   * @param yamlOrPath the path of a readable file, else the YAML text itself
   * @param bindingsJson where its {@code uses} names live: a JSON object, sent byte for byte; null or blank: none
   * @return the service's answer as it came: {@code {"ok":…,"details":[…],"warnings":[…]}}; a workflow that is wrong is an answer
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateValidationException the workflow is a file that is none
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String validateOnService(String yamlOrPath, String bindingsJson) {
    return calls.awaitText(versions.validateWithJson(yamlOrPath, bindingsJson));
  }

  /**
   * What the run does, as it happens, until it is over and all was delivered.
   *
   * <p>Close it, unless it is read to its end.
   *
   * @param workflowId of the workflow
   * @param runId of the run
   * @param options how it is watched
   * @return what is delivered, each a JSON object; the service has agreed to it
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public Watch<String> watchRun(String workflowId, String runId, WatchOptions options) {
    return new Watch<>(watches.runAsText(workflowId, runId, options));
  }

  /**
   * What units answered before.
   *
   * @param query the text to look for; nothing is found by an empty one
   * @param topK how many hits at most; more than 100 count as 100
   * @return the service's answer as it came: {@code {"results":[…]}}
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String searchMemory(String query, int topK) {
    return calls.awaitText(operations.searchMemory(query, topK, CallOptions.defaults()));
  }

  /**
   * How the service fares, also one that cannot serve: then {@code ok} is false.
   *
   * @return the service's answer as it came
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalStateException the client is closed
   */
  public String health() {
    return calls.awaitText(operations.health(CallOptions.defaults()));
  }

  /**
   * Who is asking, and what they may. Where nobody is asked, {@code auth} is {@code none}.
   *
   * @return the service's answer as it came: {@code {"auth":"key",…}}
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalStateException the client is closed
   */
  public String whoami() {
    return calls.awaitText(keys.whoami(CallOptions.defaults()));
  }

  /**
   * Makes an API key, whose secret is shown this once. It is sent once: where the answer is lost, look for the key among those that
   * are listed, and revoke it.
   *
   * @param options what it is to be
   * @return the service's answer as it came: {@code {"key":{…},"secret":"…"}}
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String makeKey(MakeKeyOptions options) {
    return calls.awaitText(keys.make(options));
  }

  /**
   * One page of API keys, newest first.
   *
   * @param query which keys
   * @return the service's answer as it came: {@code {"items":[…],"next":…}}
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String listKeys(KeysQuery query) {
    return calls.awaitText(keys.list(query));
  }

  /**
   * Gives a key another secret, which is shown this once; it expires when it would have. It is sent once.
   *
   * @param id of the key
   * @param options of this call
   * @return the service's answer as it came: {@code {"key":{…},"secret":"…"}}
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String rotateKey(String id, RotateKeyOptions options) {
    return calls.awaitText(keys.rotate(id, options));
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
    calls.await(keys.revoke(id, CallOptions.defaults()));
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
    calls.await(keys.revokeOwner(owner, CallOptions.defaults()));
  }

  /**
   * One page of who did what, newest first. It needs {@code audit:read}.
   *
   * @param query which acts
   * @return the service's answer as it came: {@code {"items":[…],"next":…}}
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers, or not in time
   * @throws FlowgateInterruptedException the thread was interrupted
   * @throws IllegalArgumentException an argument cannot be meant
   * @throws IllegalStateException the client is closed
   */
  public String listAudit(AuditQuery query) {
    return calls.awaitText(keys.audit(query));
  }

  /**
   * The same calls with records in place of texts.
   *
   * @return always the same; it ends with this client
   */
  public TypedFlowgateClient typed() {
    return typed;
  }

  /**
   * The same calls with records, and without waiting.
   *
   * @return always the same; it ends with this client
   */
  public AsyncFlowgateClient async() {
    return async;
  }

  /**
   * Ends the client: calls under way fail with an {@link IllegalStateException}, as later ones do; what the service has begun
   * continues. On Java 21 and later nothing is left when it returns, but code of yours that still runs; it waits a second at
   * most. On earlier ones the connections and their thread go after the next garbage collection. What you gave to the builder
   * (an {@code HttpClient}, a scheduler) stays open. Twice is allowed.
   */
  @Override
  public void close() {
    connection.close();
  }

  /** Makes a client. Not for many threads at once. */
  public static final class Builder {
    private static final long MOST_RESPONSE_BYTES = 1L << 30;

    private final ServiceAddress address;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private Credentials credentials = Credentials.none();
    private Duration timeout = Duration.ofSeconds(60);
    private Duration connectTimeout = Duration.ofSeconds(10);
    private RetryOptions retries = RetryOptions.defaults();
    private List<String> apiGroups = List.of("flowgate");
    private long maxResponseBytes = 128L << 20;
    private InstantSource clock;
    private ScheduledExecutorService scheduler;
    private HttpClient httpClient;

    private Builder(String baseUrl) {
      address = new ServiceAddress(baseUrl);
    }

    private Settings settings() {
      if (credentials.isThere() && headers.containsKey("authorization"))
        throw new IllegalStateException("A token and the header authorization are given: leave one out");
      return new Settings(
          address,
          CallerHeaders.of(headers),
          credentials,
          timeout,
          connectTimeout,
          retries,
          maxResponseBytes,
          apiGroups,
          clock,
          scheduler,
          httpClient);
    }

    /**
     * A header for every request. It is never in a message or an error. Those of the client
     * ({@code accept}, {@code content-type}, {@code idempotency-key}) win over yours.
     *
     * @param name of the header
     * @param value printable ASCII
     * @return this
     * @throws IllegalArgumentException it is no header, or one that the connection sets itself, such as {@code host}; the
     *     message does not name the value
     */
    public Builder header(String name, String value) {
      CallerHeaders.add(name, value, headers);
      return this;
    }

    /**
     * Headers for every request, added to those before.
     *
     * @param headers names and values
     * @return this
     * @throws IllegalArgumentException as {@link #header(String, String)}
     */
    public Builder headers(Map<String, String> headers) {
      Objects.requireNonNull(headers, "headers must be a map");
      headers.forEach(this::header);
      return this;
    }

    /**
     * An API key or a token, sent to the service at {@code baseUrl} and nowhere else, and in no message or error.
     *
     * @param token what stands behind {@code Authorization: Bearer}; takes the place of a {@code tokenSupplier}
     * @return this
     * @throws IllegalArgumentException it can be no token; the message does not name it
     */
    public Builder token(String token) {
      credentials = Credentials.of(token);
      return this;
    }

    /**
     * What gives the API key or the token. It is asked once, and again after a 401, after which the request is sent once more; a
     * watch whose token is no longer good goes on with another one. It may block, and is called on a thread of the client's.
     *
     * @param supplier of what stands behind {@code Authorization: Bearer}; takes the place of a {@code token}
     * @return this
     */
    public Builder tokenSupplier(Supplier<String> supplier) {
      credentials = Credentials.from(supplier);
      return this;
    }

    /**
     * The namespace of every request.
     *
     * @param namespace default: the only one that is granted, else {@code default}
     * @return this
     * @throws IllegalArgumentException it can be no namespace
     */
    public Builder namespace(String namespace) {
      headers.put("flowgate-namespace", Arguments.namespace(namespace));
      return this;
    }

    /**
     * How long a call may take, all of its tries together, and each connection of a watch until it is made. A start or a fork
     * with {@code sync} has no bound unless the call itself names one.
     *
     * @param timeout default 60 s; {@code ChronoUnit.FOREVER.getDuration()}: as long as it takes
     * @return this
     * @throws IllegalArgumentException it is not more than 0
     */
    public Builder timeout(Duration timeout) {
      Objects.requireNonNull(timeout, "timeout must be a time; ChronoUnit.FOREVER.getDuration() is no bound");
      Arguments.timeout(timeout);
      this.timeout = timeout;
      return this;
    }

    /**
     * How long making a connection may take, of each try.
     *
     * @param timeout default 10 s
     * @return this
     * @throws IllegalArgumentException it is not more than 0
     */
    public Builder connectTimeout(Duration timeout) {
      Objects.requireNonNull(timeout, "connectTimeout must be a time");
      if (timeout.isZero() || timeout.isNegative()) throw new IllegalArgumentException("connectTimeout must be more than 0");
      connectTimeout = timeout;
      return this;
    }

    /**
     * How often calls are tried again.
     *
     * @param count beyond the first try; default 3; 0: never
     * @return this
     * @throws IllegalArgumentException it is less than 0
     */
    public Builder retries(int count) {
      retries = retries.count(count);
      return this;
    }

    /**
     * How calls are tried again.
     *
     * @param retries default {@link RetryOptions#defaults()}
     * @return this
     */
    public Builder retries(RetryOptions retries) {
      this.retries = Objects.requireNonNull(retries, "retries must not be null: RetryOptions.defaults().count(0) is none");
      return this;
    }

    /**
     * Groups that a document's {@code apiVersion} may name; the service's {@code FLOWGATE_API_GROUP}.
     *
     * @param groups default {@code flowgate}
     * @return this
     * @throws IllegalArgumentException there is none
     */
    public Builder apiGroups(List<String> groups) {
      if (groups.isEmpty()) {
        throw new IllegalArgumentException("apiGroups must be a list of at least one group, such as flowgate");
      }
      apiGroups = List.copyOf(groups);
      return this;
    }

    /**
     * The longest answer that is read, and the longest event of a watch.
     *
     * @param bytes default 134,217,728 (128 MiB); at most 1,073,741,824 (1 GiB)
     * @return this
     * @throws IllegalArgumentException it is not between 1 and the most
     */
    public Builder maxResponseBytes(long bytes) {
      if (bytes < 1 || bytes > MOST_RESPONSE_BYTES) {
        throw new IllegalArgumentException("maxResponseBytes must be a number from 1 to " + MOST_RESPONSE_BYTES);
      }
      maxResponseBytes = bytes;
      return this;
    }

    /**
     * What tells the time: how long a try took, and how far off the date of a {@code Retry-After} is.
     *
     * @param clock default: the system's
     * @return this
     */
    public Builder clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock must not be null");
      return this;
    }

    /**
     * What waits: for the end of a call's time, and between tries. No code of yours runs on it.
     *
     * @param scheduler yours, which the client does not shut down; default: one of the client's own, with one thread
     * @return this
     */
    public Builder scheduler(ScheduledExecutorService scheduler) {
      this.scheduler = Objects.requireNonNull(scheduler, "scheduler must not be null");
      return this;
    }

    /**
     * What sends the requests, for a proxy, TLS or an authenticator of yours. {@link #connectTimeout(Duration)} is then its
     * own matter.
     *
     * @param httpClient yours, which the client does not close; it must not follow redirects
     * @return this
     * @throws IllegalArgumentException it follows redirects
     */
    public Builder httpClient(HttpClient httpClient) {
      if (httpClient.followRedirects() != HttpClient.Redirect.NEVER) {
        throw new IllegalArgumentException(
            "httpClient must not follow redirects, which take headers to others: build it with Redirect.NEVER");
      }
      this.httpClient = httpClient;
      return this;
    }

    /**
     * The client.
     *
     * @return a new client; close it
     */
    public FlowgateClient build() {
      return new FlowgateClient(this);
    }
  }
}
