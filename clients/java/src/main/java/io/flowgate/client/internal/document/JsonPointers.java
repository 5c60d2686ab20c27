package io.flowgate.client.internal.document;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** JSON pointers (RFC 6901) into a document: {@code ""} is the whole, {@code /spec/units/0/uses} a field. */
final class JsonPointers {
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern LIST_INDEX = Pattern.compile("0|[1-9][0-9]*");
  /** A sentence must not become a page because something is nested a thousand deep. */
  private static final int MAX_READABLE = 200;

  private static final int MAX_NAME = 60;

  private JsonPointers() {}

  static String child(String pointer, String token) {
    return pointer + '/' + token.replace("~", "~0").replace("/", "~1");
  }

  static String child(String pointer, int index) {
    return pointer + '/' + index;
  }

  static String parent(String pointer) {
    return pointer.isEmpty() ? "" : pointer.substring(0, pointer.lastIndexOf('/'));
  }

  static List<String> tokens(String pointer) {
    List<String> tokens = new ArrayList<>();
    for (int at = 0; at < pointer.length(); ) {
      int end = pointer.indexOf('/', at + 1);
      if (end == -1) end = pointer.length();
      tokens.add(pointer.substring(at + 1, end).replace("~1", "/").replace("~0", "~"));
      at = end;
    }
    return tokens;
  }

  /**
   * As people write it: {@code spec.units[2].uses}, {@code spec.flow.routes["a b"]}; the whole is {@code the document}.
   * Of a long one the end is kept.
   */
  static String readable(String pointer) {
    StringBuilder path = new StringBuilder();
    for (String token : tokens(pointer)) {
      if (LIST_INDEX.matcher(token).matches()) path.append('[').append(token).append(']');
      else if (PLAIN_NAME.matcher(token).matches() && token.length() <= MAX_READABLE) {
        path.append(path.isEmpty() ? "" : ".").append(token);
      } else path.append("[\"").append(escaped(token)).append("\"]");
    }
    if (path.isEmpty()) return "the document";
    return path.length() > MAX_READABLE ? '…' + path.substring(path.length() - MAX_READABLE) : path.toString();
  }

  private static String escaped(String name) {
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < name.length() && at < MAX_NAME; at++) {
      char unit = name.charAt(at);
      if (unit == '"' || unit == '\\') text.append('\\').append(unit);
      else if (unit < ' ' || Character.isSurrogate(unit) && !isWholeAt(name, at)) {
        text.append(String.format("\\u%04x", (int) unit));
      } else text.append(unit);
    }
    return name.length() > MAX_NAME ? text.append('…').toString() : text.toString();
  }

  private static boolean isWholeAt(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        ? at + 1 < Math.min(text.length(), MAX_NAME) && Character.isLowSurrogate(text.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
  }
}
