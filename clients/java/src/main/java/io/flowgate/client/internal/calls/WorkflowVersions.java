package io.flowgate.client.internal.calls;

import io.flowgate.client.CallOptions;
import io.flowgate.client.HttpBinding;
import io.flowgate.client.Page;
import io.flowgate.client.PageOptions;
import io.flowgate.client.ServiceValidation;
import io.flowgate.client.WorkflowDetails;
import io.flowgate.client.WorkflowDiff;
import io.flowgate.client.WorkflowItem;
import io.flowgate.client.WorkflowVersion;
import io.flowgate.client.internal.http.Question;
import io.flowgate.client.internal.json.CallerJson;
import io.flowgate.client.internal.json.JsonBody;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** What the service keeps of workflows, and finds in them, each as an operation. Arguments are checked here, at once. */
public final class WorkflowVersions {
  private final Service service;
  private final UnaryOperator<String> text;

  /**
   * @param text of a workflow that is given as such or by its path, right or wrong; throws a
   *     {@code FlowgateValidationException} for a file that is none
   */
  WorkflowVersions(Service service, UnaryOperator<String> text) {
    this.service = service;
    this.text = text;
  }

  public Operation<List<WorkflowItem>> listWorkflows(CallOptions options) {
    return service.read(
        service.address(Map.of(), "workflows"),
        options.timeout(),
        answer -> answer.get("items") instanceof List,
        VersionReader::workflows);
  }

  public Operation<Void> deleteWorkflow(String workflowId, CallOptions options) {
    Question question = Question.delete(service.ofWorkflow(Map.of(), workflowId), "unknown-workflow");
    return new Ask<>(service.tries(), service.bound(options.timeout()), () -> question, text -> null);
  }

  /** {@code hash}: null for the version that is registered. */
  public Operation<WorkflowDetails> getWorkflow(String workflowId, String hash, CallOptions options) {
    if (hash != null) Arguments.id("hash", hash);
    URI address = service.ofWorkflow(new Query().with("hash", hash).parameters(), workflowId);
    return service.read(
        address, options.timeout(), answer -> answer.get("definitionHash") instanceof String, VersionReader::details);
  }

  public Operation<Page<WorkflowVersion>> listVersions(String workflowId, PageOptions options) {
    URI address = service.ofWorkflow(RunLists.of(options), workflowId, "versions");
    return service.read(
        address, options.timeout(), answer -> answer.get("items") instanceof List, VersionReader::versions);
  }

  public Operation<WorkflowDiff> diffVersions(String workflowId, String from, String to, CallOptions options) {
    Arguments.id("from", from);
    Arguments.id("to", to);
    URI address = service.ofWorkflow(new Query().with("from", from).with("to", to).parameters(), workflowId, "diff");
    return service.read(
        address, options.timeout(), answer -> answer.get("units") instanceof Map, VersionReader::diff);
  }

  public Operation<ServiceValidation> validate(String source, Map<String, HttpBinding> bindings, CallOptions options) {
    Objects.requireNonNull(bindings, "bindings must be a map; Map.of() for none");
    return validate(source, Bindings.json(bindings), service.bound(options.timeout()));
  }

  public Operation<ServiceValidation> validateWithJson(String source, String bindingsJson) {
    return validate(source, CallerJson.bindings(bindingsJson), service.timeout());
  }

  private Operation<ServiceValidation> validate(String source, String bindingsJson, Duration bound) {
    Objects.requireNonNull(source, "A workflow is a text, or the path of a file: give one of them");
    URI address = service.address(Map.of(), "workflows", "validate");
    return new Ask<>(
        service.tries(),
        bound,
        () -> {
          byte[] body = new JsonBody().text("yaml", text.apply(source)).json("bindings", bindingsJson).bytes();
          return Question.post(address, body, null, answer -> answer.get("ok") instanceof Boolean);
        },
        VersionReader::validation);
  }
}
