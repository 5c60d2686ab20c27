package io.flowgate.client.internal.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code must be a list, not a map: begin each entry with "- "}. */
final class TypeWords {
  private static final Map<String, String> NAMES =
      Map.of(
          "string", "text",
          "object", "a map",
          "array", "a list",
          "boolean", "true or false",
          "integer", "a whole number",
          "number", "a number",
          "null", "empty");

  private static final Pattern YES_OR_NO = Pattern.compile("(?i)yes|no|on|off|true|false");
  private static final Pattern FILE_NAME = Pattern.compile("[\\w./\\\\ -]+\\.ya?ml");
  private static final Pattern AMOUNT =
      Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,3})?) *(ms|s|m|min|h|d)?");
  private static final Pattern TIMEOUT = Pattern.compile("/(?:policy|policyOverrides)/timeout$");
  private static final Map<String, Long> UNITS_MS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "min", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private TypeWords() {}

  /**
   * What the type must be.
   *
   * @param wanted the schema's {@code type}: one name or a list of them
   */
  static String requirement(JsonNode wanted, JsonNode value, String pointer, boolean isExpression) {
    List<String> types = new ArrayList<>();
    if (wanted.isArray()) wanted.forEach(type -> types.add(type.asText()));
    else types.add(wanted.asText());
    String described = ValueWords.described(value);
    if (isExpression) return "must be an expression, not " + described + expressionAdvice(value);
    String names = String.join(" or ", types.stream().map(type -> NAMES.getOrDefault(type, type)).toList());
    return "must be " + names + ", not " + described + advice(types, value, pointer);
  }

  private static String expressionAdvice(JsonNode value) {
    if (value.isBoolean()) return ": write it in quotes, \"" + value.asText() + "\"";
    if (value.isArray()) return ": write it in quotes, as in \"[1, 2]\", or name one, as in input.list";
    return ": write what is to be found out, such as state.amount > 100";
  }

  private static String advice(List<String> types, JsonNode value, String pointer) {
    if (types.equals(List.of("string", "object"))) {
      return value.isArray() ? ": for one unit after the other write { type: sequential, order: […] }" : "";
    }
    if ((value.isNumber() || value.isBoolean()) && types.equals(List.of("string"))) {
      return ": write it in quotes, \"" + ValueWords.shortened(value.asText()) + "\"";
    }
    if (types.contains("array") && value.isObject()) return ": begin each entry with \"- \"";
    if (types.contains("object") && value.isArray()) return ": write its fields as name: value, without \"- \"";
    if (types.contains("object") && TIMEOUT.matcher(pointer).find()) {
      String ms = milliseconds(value);
      return ms == null ? "" : ": write { unitMs: " + ms + " }";
    }
    if (!value.isTextual()) return "";
    String text = value.textValue();
    if (types.contains("integer") || types.contains("number")) return amountAdvice(text, pointer);
    if (types.contains("boolean") && YES_OR_NO.matcher(text).matches()) {
      return ": write true or false, without quotes";
    }
    return pointer.isEmpty() && text.length() <= 256 && FILE_NAME.matcher(text).matches()
        ? ": this is the name of a file, send the text of it"
        : "";
  }

  private static String amountAdvice(String text, String pointer) {
    Matcher amount = AMOUNT.matcher(text);
    if (!amount.matches()) return "";
    if (amount.group(2) == null) return ": write it without quotes, " + amount.group(1);
    if (!pointer.endsWith("Ms")) return "";
    return ": write milliseconds, " + milliseconds(amount);
  }

  /** What a length of time is in milliseconds: a number, or a text with a unit; null: it is neither. */
  static String milliseconds(JsonNode value) {
    if (value.isNumber()) return value.asText();
    Matcher amount = AMOUNT.matcher(value.isTextual() ? value.textValue() : "");
    return amount.matches() && amount.group(2) != null ? milliseconds(amount).toPlainString() : null;
  }

  private static BigDecimal milliseconds(Matcher amount) {
    BigDecimal unit = BigDecimal.valueOf(UNITS_MS.get(amount.group(2)));
    return new BigDecimal(amount.group(1)).multiply(unit).setScale(0, RoundingMode.HALF_UP);
  }
}
