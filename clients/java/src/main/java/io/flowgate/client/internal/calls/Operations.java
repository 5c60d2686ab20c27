package io.flowgate.client.internal.calls;

import io.flowgate.client.CallOptions;
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
import io.flowgate.client.internal.http.ServiceAddress;
import io.flowgate.client.internal.json.CallerJson;
import io.flowgate.client.internal.json.JsonBody;
import io.flowgate.client.internal.json.ObjectMapping;
import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The calls of the interface (section 4), each as an operation. Arguments are checked here, at once. */
public final class Operations {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
  private static final Predicate<Map<String, Object>> IS_RUN =
      answer -> answer.get("runId") instanceof String && answer.get("status") instanceof String;

  private final Tries tries;
  private final Calls calls;
  private final Duration timeout;
  private final UnaryOperator<String> checkedText;

  /**
   * @param checkedText the text of a workflow that is given as such or by its path; throws a
   *     {@code FlowgateValidationException} for a wrong one
   */
  Operations(Tries tries, Calls calls, Duration timeout, UnaryOperator<String> checkedText) {
    this.tries = tries;
    this.calls = calls;
    this.timeout = timeout;
    this.checkedText = checkedText;
  }

  public Operation<RegisteredWorkflow> loadAndRegister(
      String source, Map<String, HttpBinding> bindings, CallOptions options) {
    Objects.requireNonNull(bindings, "bindings must be a map; Map.of() for none");
    return register(source, bindings.isEmpty() ? null : bindingsJson(bindings), bound(options.timeout()));
  }

  public Operation<RegisteredWorkflow> loadAndRegister(String source, String bindingsJson) {
    return register(source, CallerJson.bindings(bindingsJson), timeout);
  }

  public Operation<RunRecord> startWorkflow(String workflowId, Object input, StartOptions options) {
    Arguments.id("workflowId", workflowId);
    return start(workflowId, ObjectMapping.input(input), options);
  }

  public Operation<RunRecord> startWorkflow(String workflowId, String inputJson, boolean sync) {
    Arguments.id("workflowId", workflowId);
    return start(workflowId, CallerJson.input(inputJson), StartOptions.defaults().sync(sync));
  }

  public Operation<RunRecord> getRun(String workflowId, String runId, CallOptions options) {
    Question question = Question.get(ofRun(workflowId, runId), IS_RUN, Set.of());
    return new Ask<>(tries, bound(options.timeout()), () -> question, RecordReader::run);
  }

  public Operation<RunRecord> resume(String workflowId, String runId, ResumeOptions options) {
    JsonBody body = new JsonBody().text("snapshotId", options.snapshotId()).json("budget", budgetJson(options.budget()));
    return changed(ofRun(workflowId, runId, "resume"), body, options.idempotencyKey(), bound(options.timeout()));
  }

  public Operation<RunRecord> cancel(String workflowId, String runId, StopOptions options) {
    return stopped(ofRun(workflowId, runId, "cancel"), options);
  }

  public Operation<RunRecord> pause(String workflowId, String runId, StopOptions options) {
    return stopped(ofRun(workflowId, runId, "pause"), options);
  }

  public Operation<RunRecord> respondHitl(String workflowId, String runId, boolean approved, RespondOptions options) {
    JsonBody body =
        new JsonBody()
            .flag("approved", approved)
            .text("responder", options.responder())
            .number("gateId", options.gateId())
            .text("comment", options.comment());
    return changed(ofRun(workflowId, runId, "hitl"), body, options.idempotencyKey(), bound(options.timeout()));
  }

  public Operation<RunRecord> waitForRun(String workflowId, String runId, WaitOptions options) {
    Operation<RunRecord> reading = getRun(workflowId, runId, CallOptions.defaults());
    return new WaitForRun(reading, calls, options.timeout() == null ? FOREVER : options.timeout());
  }

  public Operation<MessagePage> getMessages(String workflowId, String runId, MessagesOptions options) {
    Map<String, String> query = new LinkedHashMap<>();
    if (options.after() != null) query.put("cursor", options.after());
    if (options.limit() != null) query.put("limit", options.limit().toString());
    Arguments.run(workflowId, runId);
    URI address = address(query, "workflows", workflowId, "runs", runId, "messages");
    Question question = Question.get(address, answer -> answer.get("messages") instanceof List, Set.of());
    return new Ask<>(tries, bound(options.timeout()), () -> question, RecordReader::messages);
  }

  public Operation<MemorySearch> searchMemory(String query, int topK, CallOptions options) {
    Arguments.query(query);
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("q", query);
    parameters.put("topK", Integer.toString(Arguments.checkedTopK(topK)));
    URI address = address(parameters, "memory", "search");
    Question question = Question.get(address, answer -> answer.get("results") instanceof List, Set.of());
    return new Ask<>(tries, bound(options.timeout()), () -> question, RecordReader::search);
  }

  /** A service that shuts down answers 503, and says so in the same form. */
  public Operation<Health> health(CallOptions options) {
    Question question = Question.get(address(Map.of(), "health"), answer -> answer.get("ok") instanceof Boolean, Set.of(503));
    return new Ask<>(tries, bound(options.timeout()), () -> question, RecordReader::health);
  }

  private Operation<RegisteredWorkflow> register(String source, String bindingsJson, Duration bound) {
    Objects.requireNonNull(source, "A workflow is a text, or the path of a file: give one of them");
    URI address = address(Map.of(), "workflows", "from-yaml");
    return new Ask<>(
        tries,
        bound,
        () -> {
          byte[] body = new JsonBody().text("yaml", checkedText.apply(source)).json("bindings", bindingsJson).bytes();
          return Question.post(address, body, null, answer -> answer.get("workflowId") instanceof String);
        },
        RecordReader::registered);
  }

  private Operation<RunRecord> start(String workflowId, String inputJson, StartOptions options) {
    JsonBody body = new JsonBody().json("input", inputJson).flag("sync", options.sync());
    Duration unlessNamed = options.sync() ? FOREVER : timeout;
    return changed(
        address(Map.of(), "workflows", workflowId, "runs"),
        body,
        options.idempotencyKey(),
        options.timeout() == null ? unlessNamed : options.timeout());
  }

  private Operation<RunRecord> stopped(URI address, StopOptions options) {
    JsonBody body = new JsonBody().text("by", options.by());
    return changed(address, body, options.idempotencyKey(), bound(options.timeout()));
  }

  private static String budgetJson(RunBudget budget) {
    if (budget == null) return null;
    return new JsonBody()
        .number("maxTokens", budget.maxTokens())
        .json("maxCost", budget.maxCost() == null ? null : budget.maxCost().toString())
        .json();
  }

  /** One key for the whole call, so that the service carries it out once however often it is tried. */
  private Operation<RunRecord> changed(URI address, JsonBody body, String givenKey, Duration bound) {
    String key = givenKey == null ? UUID.randomUUID().toString().replace("-", "") : givenKey;
    Question question = Question.post(address, body.bytes(), key, IS_RUN);
    return new Ask<>(tries, bound, () -> question, RecordReader::run);
  }

  private static String bindingsJson(Map<String, HttpBinding> bindings) {
    JsonBody all = new JsonBody();
    bindings.forEach(
        (uses, binding) -> {
          Objects.requireNonNull(uses, "bindings: a name is null");
          Objects.requireNonNull(binding, () -> "bindings: " + uses + " is null");
          JsonBody headers = new JsonBody();
          binding.headers().forEach(headers::text);
          all.json(
              uses,
              new JsonBody()
                  .text("type", "http")
                  .text("endpoint", binding.endpoint())
                  .json("headers", binding.headers().isEmpty() ? null : headers.json())
                  .number("timeoutMs", binding.timeout() == null ? null : (Long) binding.timeout().toMillis())
                  .json());
        });
    return all.json();
  }

  private Duration bound(Duration ofTheCall) {
    return ofTheCall == null ? timeout : ofTheCall;
  }

  private URI ofRun(String workflowId, String runId, String... rest) {
    Arguments.run(workflowId, runId);
    String[] segments = {"workflows", workflowId, "runs", runId};
    String[] all = Arrays.copyOf(segments, segments.length + rest.length);
    System.arraycopy(rest, 0, all, segments.length, rest.length);
    return address(Map.of(), all);
  }

  private URI address(Map<String, String> query, String... segments) {
    ServiceAddress service = tries.exchange().address();
    return service.of(List.of(segments), query);
  }
}
