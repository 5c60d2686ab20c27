package io.flowgate.client.internal.document;

import com.fasterxml.jackson.databind.JsonNode;

/** A value, as it is called in a message. */
final class ValueWords {
  private static final int MAX_SHOWN = 60;

  private ValueWords() {}

  static String described(JsonNode value) {
    if (value.isNull()) return "empty";
    if (value.isArray()) return "a list";
    if (value.isObject()) return "a map";
    return value.isTextual() ? "`" + shortened(value.textValue()) + "`" : shortened(value.asText());
  }

  /** Bounds what of an author's text goes into a message, and keeps it on one line. */
  static String shortened(String text) {
    if (text.length() <= MAX_SHOWN) return text.replaceAll("[\\s\\p{Cntrl}]+", " ");
    int end = Character.isHighSurrogate(text.charAt(MAX_SHOWN - 1)) ? MAX_SHOWN - 1 : MAX_SHOWN;
    return text.substring(0, end).replaceAll("[\\s\\p{Cntrl}]+", " ") + "…";
  }
}
