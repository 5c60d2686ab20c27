package io.flowgate.client;

import io.flowgate.client.internal.json.JsonValues;
import java.util.Map;

/**
 * One hit of a memory search.
 *
 * @param id of what was found
 * @param content its text
 * @param score greater than 0 and at most 1, which is the best match of this search
 * @param metadata for outputs of units {@code workflowId}, {@code runId}, {@code unitId}, and {@code at} in epoch ms; values
 *     of JSON as in {@link WorkflowResult}, deeply immutable
 */
public record MemoryHit(String id, String content, double score, Map<String, Object> metadata) {
  /** Copies what could be changed. */
  public MemoryHit {
    metadata = JsonValues.immutable(metadata);
  }
}
