package io.flowgate.client;

import io.flowgate.client.internal.document.FaultLines;
import java.util.List;
import java.util.Objects;

/**
 * What a check of a workflow found without asking anybody: whether it is YAML and satisfies the published schema. Which
 * units there are is known to the service alone, so a workflow that is ok here may still be refused when it is loaded.
 *
 * <p>Immutable; may be used by many threads. Each value is there as a field and as a method of the same name.
 */
public final class ValidationResult {
  /** Whether there are no faults. */
  public final boolean ok;

  /**
   * One sentence for each fault, in the order of the text: {@code at 3:5: metadata.id must not be empty}; line and
   * column count from 1. Empty when ok, at most 100, immutable.
   */
  public final List<String> errors;

  /** The id that the workflow will be started by; null when it is not ok. */
  public final String workflowId;

  private final List<DocumentFault> faults;

  private ValidationResult(String workflowId, List<DocumentFault> faults, List<String> errors) {
    this.ok = faults.isEmpty();
    this.errors = errors;
    this.workflowId = workflowId;
    this.faults = faults;
  }

  /** For the client; {@code hint} is one more sentence about what the text may have been meant as, or null. */
  static ValidationResult of(String workflowId, List<DocumentFault> faults, String hint) {
    List<DocumentFault> copy = List.copyOf(faults);
    if (copy.isEmpty() == (workflowId == null)) {
      throw new IllegalArgumentException("A result has either a workflow id or faults: give one of them");
    }
    return new ValidationResult(workflowId, copy, FaultLines.of(copy, hint));
  }

  /** {@return whether there are no faults} */
  public boolean ok() {
    return ok;
  }

  /** {@return one sentence for each fault, in the order of the text; empty when ok, at most 100, immutable} */
  public List<String> errors() {
    return errors;
  }

  /** {@return the id that the workflow will be started by; null when it is not ok} */
  public String workflowId() {
    return workflowId;
  }

  /** {@return every fault with its position, in the order of the text; empty when ok, at most 100, immutable} */
  public List<DocumentFault> faults() {
    return faults;
  }

  /** The id, or the faults one a line. */
  @Override
  public String toString() {
    return ok ? "ok: " + workflowId : String.join("\n", errors);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValidationResult result
        && Objects.equals(workflowId, result.workflowId)
        && errors.equals(result.errors)
        && faults.equals(result.faults);
  }

  @Override
  public int hashCode() {
    return Objects.hash(workflowId, faults);
  }
}
