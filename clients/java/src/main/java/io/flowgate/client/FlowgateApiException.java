package io.flowgate.client;

import io.flowgate.client.internal.http.FaultText;
import io.flowgate.client.internal.json.JsonValues;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Flowgate refused (interface, section 7), or something else answered instead. The message says what the service
 * says, every fault of {@link #details()}, and contains the body of the answer: whole up to 1,048,576 characters.
 */
public class FlowgateApiException extends FlowgateException {
  private static final long serialVersionUID = 1;

  private static final int MAX_BODY_CHARS = 1_048_576;

  private final int status;
  private final String body;
  private final String error;
  private final String type;
  private final String code;
  private final transient List<Map<String, Object>> details;
  private final String detail;
  private final Duration retryAfter;

  /**
   * Made by the client, and by tests of programs that use it.
   *
   * @param status of HTTP
   * @param body of the answer; "" for none
   * @param error what the service says
   * @param type the error's class; may be null
   * @param code of the error; may be null
   * @param details of the error, JSON objects
   * @param detail a second sentence; may be null
   * @param retryAfter what {@code Retry-After} required; may be null
   */
  public FlowgateApiException(
      int status,
      String body,
      String error,
      String type,
      String code,
      List<Map<String, Object>> details,
      String detail,
      Duration retryAfter) {
    super(message(body, error, details, detail), null);
    this.status = status;
    this.body = body.substring(0, Math.min(body.length(), MAX_BODY_CHARS));
    this.error = error;
    this.type = type;
    this.code = code;
    this.details = details.stream().map(JsonValues::immutable).toList();
    this.detail = detail;
    this.retryAfter = retryAfter;
  }

  /**
   * The status of HTTP.
   *
   * @return 400 for a workflow that was refused before the service was asked
   */
  public final int status() {
    return status;
  }

  /**
   * The body of the answer as it came, up to 1,048,576 characters of it.
   *
   * @return "" where there is none, as for a workflow that was refused before the service was asked
   */
  public final String body() {
    return body;
  }

  /**
   * What the service says, in one text, its routes and headers as methods and options; of anything else that answers instead,
   * that it is not the service.
   *
   * @return at most 65,536 characters
   */
  public final String error() {
    return error;
  }

  /**
   * The error's class, where others have the same status: {@code YamlLoadError}.
   *
   * @return null where the service sends none
   */
  public final String type() {
    return type;
  }

  /**
   * A stable name of the error.
   *
   * @return null where the service sends none
   */
  public final String code() {
    return code;
  }

  /**
   * What more there is to say: faults with their {@code path} and {@code message}, open gates, a decision.
   *
   * @return at most 100 JSON objects, deeply immutable; empty after serialization
   */
  public final List<Map<String, Object>> details() {
    return details == null ? List.of() : details;
  }

  /**
   * A second sentence, and after it, where an answer was lost on its way, that all may have been carried out.
   *
   * @return null where there is none
   */
  public final String detail() {
    return detail;
  }

  /**
   * What the answer's {@code Retry-After} required, counted from its arrival.
   *
   * @return null where it required nothing
   */
  public final Duration retryAfter() {
    return retryAfter;
  }

  private static String message(String body, String error, List<Map<String, Object>> details, String detail) {
    StringBuilder message = new StringBuilder(FaultText.everyFault(error, details));
    if (detail != null) message.append('\n').append(detail);
    if (body.isEmpty()) return message.toString();
    message.append("\nThe answer: ").append(body, 0, Math.min(body.length(), MAX_BODY_CHARS));
    if (body.length() > MAX_BODY_CHARS) message.append("… (cut: it has ").append(body.length()).append(" characters)");
    return message.toString();
  }
}
