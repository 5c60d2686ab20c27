package io.flowgate.client.internal.document;

/**
 * The lines that a text in quotes, or a list or map in brackets, goes on over must be indented further than the field
 * or the entry that it stands in. The parser is lax there; the service is not, and the author forgot to close something.
 */
final class ContinuedLines {
  private ContinuedLines() {}

  /** Where the first line that is not begins; -1 where all are. */
  static int firstTooFarLeft(SourceText source, int start, int end, int parentColumn, boolean isInBrackets) {
    if (parentColumn < 0) return -1;
    String text = source.text();
    for (int feed = text.indexOf('\n', start); feed != -1 && feed < end; feed = text.indexOf('\n', feed + 1)) {
      int at = feed + 1;
      while (source.at(at) == ' ') at++;
      int indent = at - feed - 1;
      if (isInBrackets) while (source.at(at) == '\t' || source.at(at) == ' ') at++;
      if (indent > parentColumn || at >= end || isEndOfLine(source, at)) continue;
      boolean isAllowed =
          isInBrackets && (source.at(at) == '#' || indent == parentColumn && at == end - 1);
      if (!isAllowed) return feed + 1;
    }
    return -1;
  }

  private static boolean isEndOfLine(SourceText source, int at) {
    return source.at(at) == '\n' || source.at(at) == '\r' && source.at(at + 1) == '\n';
  }
}
