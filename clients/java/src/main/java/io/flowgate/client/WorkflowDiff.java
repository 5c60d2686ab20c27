package io.flowgate.client;

import java.util.List;

/**
 * What is other in one version of a workflow than in another.
 *
 * @param text a unified diff of the two documents
 * @param added ids of the units that only the later one has
 * @param removed ids of the units that only the earlier one has
 * @param changed ids of the units that both have, and that are not the same
 * @param json the answer as it came
 */
public record WorkflowDiff(String text, List<String> added, List<String> removed, List<String> changed, String json) {
  /** Copies the lists. */
  public WorkflowDiff {
    added = List.copyOf(added);
    removed = List.copyOf(removed);
    changed = List.copyOf(changed);
  }
}
