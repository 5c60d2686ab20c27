package io.flowgate.client.internal.json;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Copies of values of JSON that nobody can change. Not {@code Map.copyOf}: JSON has null. */
public final class JsonValues {
  private JsonValues() {}

  public static Map<String, Object> immutable(Map<String, ?> given) {
    Map<String, Object> copy = new LinkedHashMap<>();
    given.forEach((name, value) -> copy.put(name, immutable(value)));
    return Collections.unmodifiableMap(copy);
  }

  public static Object immutable(Object given) {
    if (given instanceof Map<?, ?> map) {
      Map<Object, Object> copy = new LinkedHashMap<>();
      map.forEach((name, value) -> copy.put(name, immutable(value)));
      return Collections.unmodifiableMap(copy);
    }
    if (given instanceof List<?> list) {
      List<Object> copy = new ArrayList<>(list.size());
      list.forEach(item -> copy.add(immutable(item)));
      return Collections.unmodifiableList(copy);
    }
    return given;
  }

  /** JSON for a message, cut after so many characters. */
  public static String shown(Object value, int maxChars) {
    StringBuilder text = new StringBuilder();
    show(value, text, maxChars);
    return text.substring(0, Math.min(text.length(), maxChars));
  }

  private static void show(Object value, StringBuilder text, int maxChars) {
    if (text.length() > maxChars) return;
    if (value instanceof Map<?, ?> map) {
      String before = "{";
      for (Map.Entry<?, ?> field : map.entrySet()) {
        if (text.length() > maxChars) return;
        text.append(before);
        show(String.valueOf(field.getKey()), text, maxChars);
        show(field.getValue(), text.append(':'), maxChars);
        before = ",";
      }
      text.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String before = "[";
      for (Object item : list) {
        if (text.length() > maxChars) return;
        show(item, text.append(before), maxChars);
        before = ",";
      }
      text.append(list.isEmpty() ? "[]" : "]");
    } else if (value instanceof String string) {
      text.append('"');
      JsonStringEncoder.getInstance().quoteAsString(string.substring(0, Math.min(string.length(), maxChars)), text);
      text.append('"');
    } else {
      text.append(value);
    }
  }
}
