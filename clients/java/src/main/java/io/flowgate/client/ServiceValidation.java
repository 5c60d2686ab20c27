package io.flowgate.client;

import java.util.List;

/**
 * What the service found in a workflow that it was asked to check, and did not register.
 *
 * @param ok whether it would be registered
 * @param workflowId the id that it would be started by; null where it names none
 * @param faults in the order of the text; empty when ok
 * @param warnings what is accepted and probably not meant
 * @param json the answer as it came
 */
public record ServiceValidation(
    boolean ok, String workflowId, List<DocumentFault> faults, List<String> warnings, String json) {
  /** Copies the lists. */
  public ServiceValidation {
    faults = List.copyOf(faults);
    warnings = List.copyOf(warnings);
  }
}
