package io.flowgate.client;

import io.flowgate.client.internal.json.JsonValues;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One version of a workflow, whole.
 *
 * @param workflowId of the workflow
 * @param definitionHash what names the version
 * @param registeredAt epoch ms
 * @param current whether runs start from it now
 * @param description may be null
 * @param labels of the document, immutable
 * @param units ids, as declared
 * @param flowType of its flow
 * @param yaml the document
 * @param inputSchema what its input must satisfy, a JSON Schema, deeply immutable; null: any object will do
 * @param bindings where its {@code uses} names live
 * @param json the answer as it came
 */
public record WorkflowDetails(
    String workflowId,
    String definitionHash,
    long registeredAt,
    boolean current,
    String description,
    Map<String, String> labels,
    List<String> units,
    String flowType,
    String yaml,
    Map<String, Object> inputSchema,
    List<BoundUses> bindings,
    String json) {
  /** Copies what could be changed. */
  public WorkflowDetails {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    units = List.copyOf(units);
    inputSchema = inputSchema == null ? null : JsonValues.immutable(inputSchema);
    bindings = List.copyOf(bindings);
  }

  /**
   * Where a {@code uses} name lives, as far as that is shown.
   *
   * @param uses the name
   * @param origin of the endpoint: scheme, host and port
   * @param headers names of the headers that the unit is sent
   */
  public record BoundUses(String uses, String origin, List<String> headers) {
    /** Copies the list. */
    public BoundUses {
      headers = List.copyOf(headers);
    }
  }

  @Override
  public String toString() {
    return "WorkflowDetails[workflowId=" + workflowId + ", definitionHash=" + definitionHash + ", current=" + current + "]";
  }
}
