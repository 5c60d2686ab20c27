package io.flowgate.client.internal.document;

/**
 * The anchor and the tag before a node, as they are written. The parser gives the place of the first of them for the
 * place of the node.
 */
record NodeProperties(int tagOffset, String tag, int nodeStart) {
  /** Reads from where a node with its properties begins; {@code tag} is null without one. */
  static NodeProperties at(SourceText source, int offset) {
    int at = offset;
    int tagOffset = offset;
    String tag = null;
    while (source.at(at) == '&' || source.at(at) == '!') {
      int start = at;
      while (at < source.length() && !isBreak(source.at(at)) && !endsFlowText(source, start, at)) at++;
      if (source.at(start) == '!') {
        tagOffset = start;
        tag = source.text().substring(start, at);
      }
      at = behindSpace(source, at);
    }
    return new NodeProperties(tagOffset, tag, at);
  }

  private static boolean endsFlowText(SourceText source, int start, int at) {
    boolean isVerbatim = source.at(start) == '!' && source.at(start + 1) == '<';
    return !isVerbatim && ",[]{}".indexOf(source.at(at)) >= 0;
  }

  private static int behindSpace(SourceText source, int offset) {
    int at = offset;
    while (at < source.length()) {
      char unit = source.at(at);
      if (isBreak(unit)) at++;
      else if (unit == '#' && at > offset) at = source.endOfLine(at);
      else return at;
    }
    return offset;
  }

  private static boolean isBreak(char unit) {
    return unit == ' ' || unit == '\t' || unit == '\n' || unit == '\r';
  }
}
