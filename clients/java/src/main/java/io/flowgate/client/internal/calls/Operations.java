package io.flowgate.client.internal.calls;

import io.flowgate.client.CallOptions;
import io.flowgate.client.FullRunRecord;
import io.flowgate.client.Health;
import io.flowgate.client.HttpBinding;
import io.flowgate.client.MemorySearch;
import io.flowgate.client.MessagePage;
import io.flowgate.client.MessagesOptions;
import io.flowgate.client.RegisteredWorkflow;
import io.flowgate.client.RespondOptions;
import io.flowgate.client.ResumeOptions;
import io.flowgate.client.RunBudget;
import io.flowgate.client.RunRecord;
import io.flowgate.client.StartOptions;
import io.flowgate.client.StopOptions;
import io.flowgate.client.WaitOptions;
import io.flowgate.client.internal.http.Question;
import io.flowgate.client.internal.json.CallerJson;
import io.flowgate.client.internal.json.JsonBody;
import io.flowgate.client.internal.json.ObjectMapping;
import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The calls of the interface (section 4), each as an operation. Arguments are checked here, at once. */
public final class Operations {
  static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
  static final Predicate<Map<String, Object>> IS_RUN =
      answer -> answer.get("runId") instanceof String && answer.get("status") instanceof String;

  private final Service service;
  private final Calls calls;
  private final UnaryOperator<String> checkedText;

  /**
   * @param checkedText the text of a workflow that is given as such or by its path; throws a
   *     {@code FlowgateValidationException} for a wrong one
   */
  Operations(Service service, Calls calls, UnaryOperator<String> checkedText) {
    this.service = service;
    this.calls = calls;
    this.checkedText = checkedText;
  }

  public Operation<RegisteredWorkflow> loadAndRegister(
      String source, Map<String, HttpBinding> bindings, CallOptions options) {
    Objects.requireNonNull(bindings, "bindings must be a map; Map.of() for none");
    return register(source, Bindings.json(bindings), service.bound(options.timeout()));
  }

  public Operation<RegisteredWorkflow> loadAndRegister(String source, String bindingsJson) {
    return register(source, CallerJson.bindings(bindingsJson), service.timeout());
  }

  public Operation<RunRecord> startWorkflow(String workflowId, Object input, StartOptions options) {
    Arguments.id("workflowId", workflowId);
    return start(workflowId, ObjectMapping.input(input), options);
  }

  public Operation<RunRecord> startWorkflowWithJson(String workflowId, String inputJson, StartOptions options) {
    Arguments.id("workflowId", workflowId);
    return start(workflowId, CallerJson.input(inputJson), options);
  }

  public Operation<RunRecord> getRun(String workflowId, String runId, CallOptions options) {
    return service.read(ofRun(workflowId, runId), options.timeout(), IS_RUN, RecordReader::run);
  }

  public Operation<FullRunRecord> getFullRun(String workflowId, String runId, CallOptions options) {
    Arguments.id("workflowId", workflowId);
    Arguments.id("runId", runId);
    URI address = service.ofRun(new Query().with("view", "full").parameters(), workflowId, runId);
    return service.read(address, options.timeout(), IS_RUN, RecordReader::fullRun);
  }

  public Operation<RunRecord> resume(String workflowId, String runId, ResumeOptions options) {
    JsonBody body =
        new JsonBody()
            .text("snapshotId", options.snapshotId())
            .json("budget", budgetJson(options.budget()))
            .text("syncUntil", options.syncUntil());
    return changed(ofRun(workflowId, runId, "resume"), body, options.idempotencyKey(), service.bound(options.timeout()));
  }

  public Operation<RunRecord> cancel(String workflowId, String runId, StopOptions options) {
    return stopped(ofRun(workflowId, runId, "cancel"), options);
  }

  public Operation<RunRecord> pause(String workflowId, String runId, StopOptions options) {
    return stopped(ofRun(workflowId, runId, "pause"), options);
  }

  public Operation<RunRecord> compensate(String workflowId, String runId, StopOptions options) {
    return stopped(ofRun(workflowId, runId, "compensate"), options);
  }

  public Operation<RunRecord> respondHitl(String workflowId, String runId, boolean approved, RespondOptions options) {
    JsonBody body =
        new JsonBody()
            .flag("approved", approved)
            .text("responder", options.responder())
            .number("gateId", options.gateId())
            .text("comment", options.comment())
            .text("syncUntil", options.syncUntil());
    return changed(ofRun(workflowId, runId, "hitl"), body, options.idempotencyKey(), service.bound(options.timeout()));
  }

  public Operation<RunRecord> waitForRun(String workflowId, String runId, WaitOptions options) {
    Operation<RunRecord> reading = getRun(workflowId, runId, CallOptions.defaults());
    return new WaitForRun(reading, calls, options.timeout() == null ? FOREVER : options.timeout());
  }

  public Operation<MessagePage> getMessages(String workflowId, String runId, MessagesOptions options) {
    Map<String, List<String>> query =
        new Query().with("cursor", options.after()).with("limit", options.limit()).parameters();
    URI address = service.ofRun(query, workflowId, runId, "messages");
    return service.read(
        address, options.timeout(), answer -> answer.get("messages") instanceof List, RecordReader::messages);
  }

  public Operation<MemorySearch> searchMemory(String query, int topK, CallOptions options) {
    Arguments.query(query);
    Map<String, List<String>> parameters =
        new Query().with("q", query).with("topK", Arguments.checkedTopK(topK)).parameters();
    URI address = service.address(parameters, "memory", "search");
    return service.read(
        address, options.timeout(), answer -> answer.get("results") instanceof List, RecordReader::search);
  }

  /** A service that shuts down answers 503, and says so in the same form. */
  public Operation<Health> health(CallOptions options) {
    URI address = service.address(Map.of(), "health");
    Question question = Question.get(address, answer -> answer.get("ok") instanceof Boolean, Set.of(503));
    return new Ask<>(service.tries(), service.bound(options.timeout()), () -> question, RecordReader::health);
  }

  private Operation<RegisteredWorkflow> register(String source, String bindingsJson, Duration bound) {
    Objects.requireNonNull(source, "A workflow is a text, or the path of a file: give one of them");
    URI address = service.address(Map.of(), "workflows", "from-yaml");
    return new Ask<>(
        service.tries(),
        bound,
        () -> {
          byte[] body = new JsonBody().text("yaml", checkedText.apply(source)).json("bindings", bindingsJson).bytes();
          return Question.post(address, body, null, answer -> answer.get("workflowId") instanceof String);
        },
        RecordReader::registered);
  }

  private Operation<RunRecord> start(String workflowId, String inputJson, StartOptions options) {
    JsonBody body =
        new JsonBody()
            .json("input", inputJson)
            .flag("sync", options.sync())
            .text("syncUntil", options.syncUntil())
            .json("labels", options.labels().isEmpty() ? null : JsonBody.ofTexts(options.labels()));
    Duration unlessNamed = options.sync() ? FOREVER : service.timeout();
    return changed(
        service.ofWorkflow(Map.of(), workflowId, "runs"),
        body,
        options.idempotencyKey(),
        options.timeout() == null ? unlessNamed : options.timeout());
  }

  private Operation<RunRecord> stopped(URI address, StopOptions options) {
    JsonBody body = new JsonBody().text("by", options.by());
    return changed(address, body, options.idempotencyKey(), service.bound(options.timeout()));
  }

  private static String budgetJson(RunBudget budget) {
    if (budget == null) return null;
    return new JsonBody()
        .number("maxTokens", budget.maxTokens())
        .json("maxCost", budget.maxCost() == null ? null : budget.maxCost().toString())
        .json();
  }

  private Operation<RunRecord> changed(URI address, JsonBody body, String givenKey, Duration bound) {
    Question question = Question.post(address, body.bytes(), Service.key(givenKey), IS_RUN);
    return new Ask<>(service.tries(), bound, () -> question, RecordReader::run);
  }

  private URI ofRun(String workflowId, String runId, String... rest) {
    return service.ofRun(Map.of(), workflowId, runId, rest);
  }
}
