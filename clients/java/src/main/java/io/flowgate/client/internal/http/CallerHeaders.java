package io.flowgate.client.internal.http;

import java.net.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/** The caller's headers, checked when they are given. No message holds a value of theirs. */
public final class CallerHeaders {
  /** A request with two of them, or with another length than its own, is a way around proxies. */
  private static final Set<String> OF_THE_CONNECTION =
      Set.of(
          "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade");

  /** Compressed answers are not read. */
  private static final Set<String> OF_THE_CLIENT = Set.of("accept-encoding");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}");

  /** Java would send a question mark for any other letter, without a word. */
  private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7E\\t]*");

  private final Map<String, String> byLowerCaseName;

  private CallerHeaders(Map<String, String> byLowerCaseName) {
    this.byLowerCaseName = byLowerCaseName;
  }

  /** Throws an {@code IllegalArgumentException} that names the header, and never its value. */
  public static void add(String name, String value, Map<String, String> headers) {
    Objects.requireNonNull(name, "headers: the name of a header must be a text");
    Objects.requireNonNull(value, () -> "headers: the value of " + shown(name) + " must be a text");
    String lowerCase = name.toLowerCase(Locale.ROOT);
    if (OF_THE_CONNECTION.contains(lowerCase) || OF_THE_CLIENT.contains(lowerCase)) {
      throw new IllegalArgumentException("headers: " + shown(name) + " cannot be set: the client and its connection do that");
    }
    if (!NAME.matcher(name).matches() || !VALUE.matcher(value).matches() || !isTaken(name, value)) {
      throw new IllegalArgumentException(
          "headers: " + shown(name) + " cannot be sent: its name or its value is no header's (printable ASCII)");
    }
    headers.put(lowerCase, value);
  }

  public static CallerHeaders of(Map<String, String> byLowerCaseName) {
    return new CallerHeaders(new LinkedHashMap<>(byLowerCaseName));
  }

  /** The caller's headers and, winning over them, ours. */
  void addTo(HttpRequest.Builder request, Map<String, String> ours) {
    byLowerCaseName.forEach(request::setHeader);
    ours.forEach(request::setHeader);
  }

  /** What java.net.http says of a header names its value: neither its message nor it as a cause may get out. */
  private static boolean isTaken(String name, String value) {
    try {
      HttpRequest.newBuilder().setHeader(name, value);
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  private static String shown(String name) {
    return '"' + name.replaceAll("[^\\x20-\\x7E]", "?").substring(0, Math.min(name.length(), 100)) + '"';
  }
}
