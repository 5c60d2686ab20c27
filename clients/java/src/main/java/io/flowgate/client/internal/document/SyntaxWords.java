package io.flowgate.client.internal.document;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the parser of YAML found, in words that say what to write instead. */
final class SyntaxWords {
  static final String UNKNOWN_TAG = "this tag (`!…`) is not part of the language: remove it";
  static final String KEY_IS_NO_TEXT = "the name of a field must be plain text";
  static final String UNCLOSED_BRACKET =
      "a `{` or `[` before this is never closed: close it with `}` or `]`, or indent what follows further";
  static final String UNCLOSED_QUOTES = "a text in quotes begins before this and never ends: close its quotes";

  private static final String EXPRESSION_IN_QUOTES =
      "an expression in a text is written `\"${{ … }}\"`, in quotes"
          + " (`if`, `until`, `items` and `cases` take theirs without `${{ }}`)";
  private static final String COLUMNS = "fields of one map, and entries of one list, begin at the same column";
  private static final Pattern FIELD_WITHOUT_SPACE = Pattern.compile("^\\s*([^\\s:]{1,60}):\\S");

  private SyntaxWords() {}

  record Complaint(int offset, String message) {}

  /** The words of the parser are a part of it only where there are no better ones. */
  static Complaint of(SourceText source, int offset, int contextOffset, String context, String problem) {
    Complaint braces = bracesBefore(source, offset);
    if (braces != null) return braces;
    String said = (problem == null ? "" : problem) + " " + (context == null ? "" : context);
    char unit = source.at(offset);
    if (said.contains("unexpected end of stream") && said.contains("quoted")) {
      return new Complaint(source.length(), UNCLOSED_QUOTES);
    }
    if (unit == '\t' || said.contains("\\t") || said.contains("tab")) {
      return new Complaint(offset, "a tab cannot indent YAML: use spaces");
    }
    if (said.contains("unknown escape character")) {
      String escape = source.text().substring(Math.max(0, offset - 1), Math.min(source.length(), offset + 1));
      return new Complaint(
          offset,
          "`" + escape + "` is no escape in double quotes: write `\\" + escape + "`, or put the text in single quotes");
    }
    if (said.contains("cannot start any token")) return new Complaint(offset, badStart(unit));
    if (said.contains("mapping values are not allowed")) {
      return new Complaint(
          offset, "this text holds `: `, which YAML reads as a field of its own: put the text in quotes");
    }
    if (said.contains("could not find expected ':'")) return new Complaint(contextOffset, noField(source, contextOffset));
    if (said.contains("while parsing a flow")) return new Complaint(offset, inBrackets(source, offset));
    if (said.contains("while parsing a block")) {
      return new Complaint(offset, inBlock(source, offset));
    }
    if (unit == '}' || unit == ']') {
      return new Complaint(offset, "nothing is open that this `" + unit + "` could close: remove it");
    }
    return new Complaint(offset, "not readable as YAML: " + oneLine(problem) + "; put a text with such signs in quotes");
  }

  /** The end of what is written before a line: where something should have been closed. */
  static int endOfWordsBefore(SourceText source, int line) {
    int at = line;
    while (at > 0 && " \t\r\n".indexOf(source.at(at - 1)) >= 0) at--;
    return at;
  }

  /** Braces that were meant as an expression, on the same line before the place; YAML reads them as maps within maps. */
  private static Complaint bracesBefore(SourceText source, int offset) {
    int line = source.startOfLine(offset);
    String before = source.text().substring(line, Math.min(source.length(), Math.min(offset + 3, source.endOfLine(line))));
    int braces = lastUnquoted(before, "{{");
    if (braces == -1) return null;
    if (braces > 0 && before.charAt(braces - 1) == '$') {
      return new Complaint(
          line + braces - 1,
          "YAML reads the braces and colons in this as its own: put the text with its `${{ }}` in quotes");
    }
    return new Complaint(line + braces, "YAML reads `{{ }}` as maps: " + EXPRESSION_IN_QUOTES);
  }

  private static int lastUnquoted(String line, String part) {
    int at = line.lastIndexOf(part);
    if (at == -1) return -1;
    long quotes = line.substring(0, at).chars().filter(unit -> unit == '"' || unit == '\'').count();
    return quotes % 2 == 0 ? at : -1;
  }

  private static String badStart(char unit) {
    return switch (unit) {
      case '\t' -> "a tab cannot indent YAML: use spaces";
      case '`' -> "a text without quotes cannot begin with a backtick: put it in quotes";
      default -> "a text without quotes cannot begin with `" + unit + "`: put it in quotes";
    };
  }

  private static String noField(SourceText source, int offset) {
    Matcher field = FIELD_WITHOUT_SPACE.matcher(source.text().substring(offset, Math.min(source.endOfLine(offset), offset + 200)));
    return field.find()
        ? "a field needs a space behind its colon: write `" + field.group(1) + ": …`"
        : "this line is no field: write `name: value`, or put a text of several lines in quotes";
  }

  private static String inBrackets(SourceText source, int offset) {
    char unit = source.at(offset);
    if (offset >= source.length()) return UNCLOSED_BRACKET;
    if (unit == ':') return "this text holds `: `, which YAML reads as a field of its own: put the text in quotes";
    if (unit == '}' || unit == ']') {
      return "nothing is open that this `" + unit + "` could close: remove it, or close with its own kind";
    }
    return "entries in `{ }` and `[ ]` are parted by commas: write one before this, or close what is open";
  }

  private static String inBlock(SourceText source, int offset) {
    char unit = source.at(offset);
    char before = source.at(offset - 1);
    if (unit == '}' || unit == ']') {
      return "nothing is open that this `" + unit + "` could close: remove it";
    }
    if (before == '"' || before == '\'') {
      return "the text in quotes ends before this: put it in the other kind of quotes (`\"` or `'`) if it holds some itself";
    }
    return "this does not begin where its neighbours do: " + COLUMNS;
  }

  private static String oneLine(String words) {
    if (words == null || words.isBlank()) return "something is wrong here";
    String bounded = words.length() > 200 ? words.substring(0, 200) : words;
    return bounded.replaceAll("\\s+", " ").strip().toLowerCase(Locale.ROOT);
  }
}
