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
  private static final String TOO_FAR =
      "this is indented further than it may be: fields of one map, and entries of one list, begin at the same column";
  private static final String HOLDS_COLON =
      "this text holds `: `, which YAML reads as a field of its own: put the text in quotes";
  private static final String COLUMNS = "fields of one map, and entries of one list, begin at the same column";
  private static final String QUOTES_WITHIN =
      "the text in quotes ends before this: put it in the other kind of quotes (`\"` or `'`) if it holds some itself";
  /** Behind the last of these a text without quotes begins. */
  private static final Pattern LAST_SIGN = Pattern.compile(".*(?:: |^ *- |[{\\[,] *)");
  private static final Pattern FIELD_WITHOUT_SPACE = Pattern.compile("^\\s*([^\\s:]{1,60}):\\S");

  private SyntaxWords() {}

  record Complaint(int offset, String message) {}

  /** The words of the parser are a part of it only where there are no better ones. */
  static Complaint of(SourceText source, int offset, int contextOffset, String context, String problem) {
    Complaint braces = bracesBefore(source, offset);
    if (braces != null) return braces;
    String said = (problem == null ? "" : problem) + " " + (context == null ? "" : context);
    char unit = source.at(offset);
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
      return colonIn(source, startOfPlainText(source, offset), offset);
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

  /** Quotes that are open at the end of the text: where a text goes on to the end, that is the place. */
  static Complaint unclosedQuotes(SourceText source, int start) {
    Complaint braces = bracesBefore(source, start);
    if (braces != null) return braces;
    if ("\"'".indexOf(source.at(start - 1)) >= 0) return new Complaint(start, QUOTES_WITHIN);
    String before = source.text().substring(source.startOfLine(start), start);
    int above = endOfWordsBefore(source, start);
    boolean isFieldName = before.isBlank() && goesOn(source, above);
    if (isFieldName) return new Complaint(start, UNCLOSED_QUOTES.replace("begins before this", "begins here"));
    return new Complaint(source.length(), UNCLOSED_QUOTES);
  }

  private static int endOfWordsBefore(SourceText source, int offset) {
    int at = offset;
    while (at > 0 && " \t\r\n".indexOf(source.at(at - 1)) >= 0) at--;
    return at;
  }

  /** Whether a text without quotes may go on behind the line that ends here. */
  private static boolean goesOn(SourceText source, int end) {
    String line = source.text().substring(source.startOfLine(end), end).strip();
    return !line.endsWith(":") && !line.equals("-") && !line.startsWith("#") && !line.contains(" #");
  }

  /** A text that a colon makes a field of: on one line, or because the next one is indented further. */
  private static Complaint colonIn(SourceText source, int start, int colon) {
    int line = source.startOfLine(start);
    if (line == source.startOfLine(colon)) return new Complaint(start, HOLDS_COLON);
    if (source.text().substring(line, start).isBlank()) return new Complaint(start, noField(source, start));
    int next = source.endOfLine(start) + 1;
    while (source.at(next) == ' ') next++;
    return new Complaint(next, TOO_FAR);
  }

  /** Where the text without quotes begins that holds the colon; it may go on over lines. */
  private static int startOfPlainText(SourceText source, int colon) {
    int line = source.startOfLine(colon);
    int end = colon;
    for (int lines = 0; lines < 100; lines++) {
      // Of a very long line the end says enough.
      int from = Math.max(line, end - 1_000);
      Matcher signs = LAST_SIGN.matcher(source.text()).region(from, end);
      if (signs.lookingAt()) return signs.end();
      if (line == 0) break;
      int above = line;
      while (above > 0 && source.text().substring(source.startOfLine(above - 1), above).isBlank()) {
        above = source.startOfLine(above - 1);
      }
      if (above == 0 || !goesOn(source, above - 1)) break;
      line = source.startOfLine(above - 1);
      end = above - 1;
    }
    int at = line;
    while (source.at(at) == ' ') at++;
    return at;
  }

  /** Braces that were meant as an expression, on the same line before the place; YAML reads them as maps within maps. */
  private static Complaint bracesBefore(SourceText source, int offset) {
    int line = source.startOfLine(offset);
    int end = Math.min(offset + 3, source.endOfLine(line));
    String before = source.text().substring(line, Math.max(line, end));
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
    int end = Math.min(source.endOfLine(offset), offset + 200);
    Matcher field = FIELD_WITHOUT_SPACE.matcher(source.text().substring(offset, end));
    return field.find()
        ? "a field needs a space behind its colon: write `" + field.group(1) + ": …`"
        : "this line is no field: write `name: value`, or put a text of several lines in quotes";
  }

  private static String inBrackets(SourceText source, int offset) {
    char unit = source.at(offset);
    if (offset >= source.length()) return UNCLOSED_BRACKET;
    if (unit == ':') return HOLDS_COLON;
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
      return QUOTES_WITHIN;
    }
    return "this does not begin where its neighbours do: " + COLUMNS;
  }

  private static String oneLine(String words) {
    if (words == null || words.isBlank()) return "something is wrong here";
    String bounded = words.length() > 200 ? words.substring(0, 200) : words;
    return bounded.replaceAll("\\s+", " ").strip().toLowerCase(Locale.ROOT);
  }
}
