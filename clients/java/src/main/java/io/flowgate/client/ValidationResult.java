package io.flowgate.client;

import java.util.List;

/** Stands in for that of the part DOCUMENTS. */
public final class ValidationResult {
  /** Whether it is valid. */
  public final boolean ok;

  /** What is wrong. */
  public final List<String> errors;

  /** The workflow's id. */
  public final String workflowId;

  ValidationResult(boolean ok, List<String> errors, String workflowId) {
    this.ok = ok;
    this.errors = errors;
    this.workflowId = workflowId;
  }
}
