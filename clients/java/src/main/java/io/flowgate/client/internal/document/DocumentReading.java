package io.flowgate.client.internal.document;

import io.flowgate.client.DocumentFault;
import java.util.List;

/**
 * What can be known of a workflow from its text alone, without knowing which units there are.
 *
 * @param workflowId null when there are faults
 * @param stage the one that found them; null when there are none
 * @param faults in the order of the text, at most 100; immutable
 */
public record DocumentReading(String workflowId, Stage stage, List<DocumentFault> faults) {
  /** The stages of a reading; the first that finds a fault ends it. */
  public enum Stage {
    /** The text is no YAML that the language takes. */
    YAML,
    /** The value breaks the published schema, or names a group that is not taken. */
    SCHEMA
  }

  /** Whether the published schema has nothing against it. */
  public boolean isOk() {
    return stage == null;
  }
}
