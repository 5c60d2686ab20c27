package io.flowgate.client;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Where one {@code uses} name of a workflow lives (interface, section 2). Immutable; {@link #toString()} leaves out the
 * values of the headers.
 *
 * @param endpoint gets the POST calls of the unit
 * @param headers sent to the unit; <code>${secret:NAME}</code> stands for a secret of the service
 * @param timeout the longest that one attempt may take; null: as the workflow says
 */
public record HttpBinding(String endpoint, Map<String, String> headers, Duration timeout) {
  /** Copies the headers. */
  public HttpBinding {
    Objects.requireNonNull(endpoint, "endpoint must be the address of the unit");
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(Objects.requireNonNull(headers, "headers must be a map")));
    headers.forEach(
        (name, value) -> {
          Objects.requireNonNull(name, "headers: a name is null");
          Objects.requireNonNull(value, () -> "headers: the value of " + name + " is null");
        });
  }

  /**
   * A binding without headers.
   *
   * @param endpoint gets the POST calls of the unit
   * @return a new binding
   */
  public static HttpBinding to(String endpoint) {
    return new HttpBinding(endpoint, Map.of(), null);
  }

  /**
   * With one more header.
   *
   * @param name of the header
   * @param value of the header
   * @return a new binding
   */
  public HttpBinding header(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new HttpBinding(endpoint, more, timeout);
  }

  /**
   * With a bound for one attempt.
   *
   * @param longest that one attempt may take
   * @return a new binding
   */
  public HttpBinding timeout(Duration longest) {
    return new HttpBinding(endpoint, headers, longest);
  }

  @Override
  public String toString() {
    return "HttpBinding[endpoint=" + endpoint + ", headers=" + headers.keySet() + ", timeout=" + timeout + "]";
  }
}
