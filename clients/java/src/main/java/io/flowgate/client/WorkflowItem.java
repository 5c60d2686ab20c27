package io.flowgate.client;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A workflow that is registered, as lists have it.
 *
 * @param workflowId of the workflow
 * @param definitionHash what names its version
 * @param registeredAt epoch ms
 * @param description may be null
 * @param labels of the document, immutable
 * @param units ids, as declared
 * @param flowType of its flow
 */
public record WorkflowItem(
    String workflowId,
    String definitionHash,
    long registeredAt,
    String description,
    Map<String, String> labels,
    List<String> units,
    String flowType) {
  /** Copies what could be changed. */
  public WorkflowItem {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    units = List.copyOf(units);
  }
}
