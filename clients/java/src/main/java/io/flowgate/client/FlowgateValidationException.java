package io.flowgate.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The workflow is not valid ({@code type} is {@code YamlValidationError}; found here, before the service is asked), or it
 * cannot be loaded ({@code YamlLoadError}; only the service finds that). The status is 400 in both cases.
 */
public final class FlowgateValidationException extends FlowgateApiException {
  private static final long serialVersionUID = 1;

  private final transient List<DocumentFault> faults;

  /**
   * Made by the client, and by tests of programs that use it.
   *
   * @param status of HTTP
   * @param body of the answer; "" for none
   * @param error what the service says
   * @param type the error's class
   * @param code of the error; may be null
   * @param faults in the order of the text
   * @param detail a second sentence; may be null
   * @param retryAfter what {@code Retry-After} required; may be null
   */
  public FlowgateValidationException(
      int status,
      String body,
      String error,
      String type,
      String code,
      List<DocumentFault> faults,
      String detail,
      Duration retryAfter) {
    super(status, body, error, type, code, faults.stream().map(FlowgateValidationException::fields).toList(), detail, retryAfter);
    this.faults = List.copyOf(faults);
  }

  /**
   * What is wrong, and where.
   *
   * @return in the order of the text, at most 100; empty after serialization
   */
  public List<DocumentFault> faults() {
    return faults == null ? List.of() : faults;
  }

  private static Map<String, Object> fields(DocumentFault fault) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("path", fault.path());
    fields.put("line", fault.line());
    fields.put("column", fault.column());
    fields.put("message", fault.message());
    return fields;
  }
}
