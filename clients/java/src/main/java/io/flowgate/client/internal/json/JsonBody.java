package io.flowgate.client.internal.json;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A JSON object for a request, field by field, as the bytes that are sent. */
public final class JsonBody {
  private final StringBuilder text = new StringBuilder("{");

  /** An object of texts, none of them null. */
  public static String ofTexts(Map<String, String> texts) {
    JsonBody body = new JsonBody();
    texts.forEach(body::text);
    return body.json();
  }

  /** A text as JSON. */
  public static String quoted(String value) {
    StringBuilder quoted = new StringBuilder("\"");
    JsonStringEncoder.getInstance().quoteAsString(value, quoted);
    return quoted.append('"').toString();
  }

  /** Left out where it is null. */
  public JsonBody text(String name, String value) {
    if (value != null) begin(name).append(quoted(value));
    return this;
  }

  /** JSON as it was written; left out where it is null. */
  public JsonBody json(String name, String json) {
    if (json != null) begin(name).append(json);
    return this;
  }

  public JsonBody flag(String name, boolean value) {
    begin(name).append(value);
    return this;
  }

  /** Left out where it is null. */
  public JsonBody number(String name, Long value) {
    if (value != null) begin(name).append(value.longValue());
    return this;
  }

  public String json() {
    return text + "}";
  }

  public byte[] bytes() {
    return bytes(json());
  }

  /** Of any JSON. */
  public static byte[] bytes(String json) {
    return withWholeCharacters(json).getBytes(StandardCharsets.UTF_8);
  }

  private StringBuilder begin(String name) {
    if (text.length() > 1) text.append(',');
    text.append('"');
    JsonStringEncoder.getInstance().quoteAsString(name, text);
    return text.append("\":");
  }

  /**
   * UTF-8 cannot hold half of a character, and Java would send a question mark without a word. It can only stand in a string
   * of JSON, which has an escape for it.
   */
  private static String withWholeCharacters(String json) {
    StringBuilder whole = null;
    for (int at = 0; at < json.length(); at++) {
      char unit = json.charAt(at);
      boolean isPair = at + 1 < json.length() && Character.isSurrogatePair(unit, json.charAt(at + 1));
      boolean isHalf = Character.isSurrogate(unit) && !isPair;
      if (isHalf && whole == null) whole = new StringBuilder(json.length() + 16).append(json, 0, at);
      if (whole != null) {
        if (isHalf) whole.append("\\u").append(Integer.toHexString(unit));
        else whole.append(unit);
        if (isPair) whole.append(json.charAt(at + 1));
      }
      if (isPair) at++;
    }
    return whole == null ? json : whole.toString();
  }
}
