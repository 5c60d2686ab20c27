package io.flowgate.client;

import io.flowgate.client.internal.document.DocumentReader;
import io.flowgate.client.internal.document.DocumentReading;
import io.flowgate.client.internal.document.FaultLines;
import io.flowgate.client.internal.document.WorkflowSource;
import java.util.List;
import java.util.Objects;

/**
 * What a check of a workflow found, before anybody is asked.
 *
 * @param source its text, and where that is from
 * @param workflowId null when there are faults
 * @param faults in the order of the text
 */
record WorkflowCheck(WorkflowSource source, String workflowId, List<DocumentFault> faults) {
  private static final int STATUS = 400;

  /** Blocks while a file is read. */
  static WorkflowCheck of(String yamlOrPath, List<String> apiGroups) {
    Objects.requireNonNull(yamlOrPath, "A workflow is a text, or the path of a file: give one of them");
    WorkflowSource source = WorkflowSource.of(yamlOrPath);
    if (source.text() == null) return new WorkflowCheck(source, null, source.faults());
    DocumentReading reading = DocumentReader.read(source.text(), apiGroups);
    return new WorkflowCheck(source, reading.workflowId(), reading.faults());
  }

  ValidationResult result() {
    return ValidationResult.of(workflowId, faults, source.hint());
  }

  /** The text of the workflow; throws where it is not valid. */
  String text() {
    if (faults.isEmpty()) return source.text();
    throw refusal(faults, source.hint());
  }

  /** The text of a workflow, right or wrong; throws where it is a file that is none. Blocks while a file is read. */
  static String unchecked(String yamlOrPath) {
    WorkflowSource source = WorkflowSource.of(yamlOrPath);
    if (source.text() == null) throw refusal(source.faults(), source.hint());
    return source.text();
  }

  private static FlowgateValidationException refusal(List<DocumentFault> faults, String hint) {
    return new FlowgateValidationException(
        STATUS, "", FaultLines.sentence(faults), "YamlValidationError", null, faults, hint, null);
  }
}
