package io.flowgate.client.internal.document;

import java.util.Locale;
import java.util.regex.Pattern;

/** What a text without quotes stands for, by the core schema of YAML 1.2. */
final class CoreSchema {
  private static final String TAG_PREFIX = "tag:yaml.org,2002:";

  private static final Pattern NULL = Pattern.compile("(?:~|[Nn]ull|NULL)?");
  private static final Pattern BOOLEAN = Pattern.compile("[Tt]rue|TRUE|[Ff]alse|FALSE");
  private static final Pattern OCTAL = Pattern.compile("0o[0-7]+");
  private static final Pattern DECIMAL = Pattern.compile("[-+]?[0-9]+");
  private static final Pattern HEX = Pattern.compile("0x[0-9a-fA-F]+");
  private static final Pattern NOT_FINITE = Pattern.compile("[-+]?\\.(?:inf|Inf|INF)|\\.nan|\\.NaN|\\.NAN");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)[eE][-+]?[0-9]+|[-+]?(?:\\.[0-9]+|[0-9]+\\.[0-9]*)");

  private CoreSchema() {}

  /** What a tag makes of a text. */
  sealed interface Tagged {
    /** A {@link String}, a {@link Double}, a {@link Boolean}, or null. */
    record Value(Object value) implements Tagged {}

    /** The tag is not one of the schema, or not one for this text. */
    record Refused() implements Tagged {}
  }

  /** A text without quotes and without a tag. */
  static Object plain(String text) {
    if (text.isEmpty()) return null;
    return switch (text.charAt(0)) {
      case '~', 'n', 'N', 't', 'T', 'f', 'F' ->
          NULL.matcher(text).matches() ? null : BOOLEAN.matcher(text).matches() ? isTrue(text) : text;
      case '+', '-', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> numberOr(text);
      default -> text;
    };
  }

  /** By a tag in its long form. */
  static Tagged tagged(String text, String tag) {
    if (!tag.startsWith(TAG_PREFIX)) return new Tagged.Refused();
    boolean isMeant =
        switch (tag.substring(TAG_PREFIX.length())) {
          case "str" -> true;
          case "null" -> NULL.matcher(text).matches();
          case "bool" -> BOOLEAN.matcher(text).matches();
          case "int" -> isWhole(text);
          case "float" -> NOT_FINITE.matcher(text).matches() || FLOAT.matcher(text).matches();
          default -> false;
        };
    if (!isMeant) return new Tagged.Refused();
    return new Tagged.Value(tag.endsWith(":str") ? text : plain(text));
  }

  static boolean isMapTag(String tag) {
    return tag.equals(TAG_PREFIX + "map");
  }

  static boolean isListTag(String tag) {
    return tag.equals(TAG_PREFIX + "seq");
  }

  static boolean isTextTag(String tag) {
    return tag.equals(TAG_PREFIX + "str");
  }

  /** Written without a point: it must be kept to the last digit. */
  static boolean isWhole(String text) {
    return OCTAL.matcher(text).matches() || DECIMAL.matcher(text).matches() || HEX.matcher(text).matches();
  }

  private static Boolean isTrue(String text) {
    return text.charAt(0) == 't' || text.charAt(0) == 'T';
  }

  private static Object numberOr(String text) {
    if (OCTAL.matcher(text).matches()) return digits(text, 3);
    if (HEX.matcher(text).matches()) return digits(text, 4);
    if (DECIMAL.matcher(text).matches() || FLOAT.matcher(text).matches()) return Double.valueOf(text);
    if (!NOT_FINITE.matcher(text).matches()) return text;
    if (text.toLowerCase(Locale.ROOT).endsWith("nan")) return Double.NaN;
    return text.charAt(0) == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
  }

  /** Exact as far as a double is; infinite when it is too large for one. */
  private static Double digits(String text, int bits) {
    double value = 0;
    for (int at = 2; at < text.length(); at++) {
      value = value * (1 << bits) + Character.digit(text.charAt(at), 16);
    }
    return value;
  }
}
