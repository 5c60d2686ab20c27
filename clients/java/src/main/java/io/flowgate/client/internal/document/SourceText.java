package io.flowgate.client.internal.document;

import java.util.Arrays;

/** The text of a workflow; knows where its lines begin once somebody asks. */
final class SourceText {
  private final String text;
  private int[] lineStarts;

  SourceText(String text) {
    // A byte-order mark is no part of the first line.
    this.text = text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  String text() {
    return text;
  }

  int length() {
    return text.length();
  }

  /** NUL behind the end, which no place in the grammar of YAML takes for anything. */
  char at(int offset) {
    return offset >= 0 && offset < text.length() ? text.charAt(offset) : '\0';
  }

  /** Where the line of the offset ends, before its line feed. */
  int endOfLine(int offset) {
    int end = text.indexOf('\n', offset);
    return end == -1 ? text.length() : end;
  }

  int startOfLine(int offset) {
    return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** The place of an offset; one beyond the end is the end. Only a line feed ends a line. */
  Place placeAt(int offset) {
    if (lineStarts == null) lineStarts = lineStartsOf(text);
    int target = Math.min(Math.max(offset, 0), text.length());
    int found = Arrays.binarySearch(lineStarts, target);
    int line = found >= 0 ? found : -found - 2;
    return new Place(line + 1, target - lineStarts[line] + 1);
  }

  /** Bytes of UTF-8; half of a character counts as the mark that an encoder writes for it. */
  long bytes() {
    long bytes = 0;
    for (int at = 0; at < text.length(); at++) {
      char unit = text.charAt(at);
      if (unit < 0x80) bytes += 1;
      else if (unit < 0x800) bytes += 2;
      else if (Character.isHighSurrogate(unit) && Character.isLowSurrogate(at(at + 1))) {
        bytes += 4;
        at++;
      } else bytes += 3;
    }
    return bytes;
  }

  private static int[] lineStartsOf(String text) {
    int lines = 1 + (int) text.chars().filter(unit -> unit == '\n').count();
    int[] starts = new int[lines];
    int line = 1;
    for (int at = text.indexOf('\n'); at != -1; at = text.indexOf('\n', at + 1)) starts[line++] = at + 1;
    return starts;
  }
}
