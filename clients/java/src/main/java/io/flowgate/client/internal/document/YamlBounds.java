package io.flowgate.client.internal.document;

/** What a document may have at most; the same as at the service. */
final class YamlBounds {
  /** Bytes of UTF-8. */
  static final int MAX_BYTES = 2 * 1024 * 1024;

  /** Levels of maps and lists. */
  static final int MAX_DEPTH = 1_000;

  static final String TOO_DEEP = "maps and lists are nested deeper than " + MAX_DEPTH + " levels: flatten them";

  /** Pieces of syntax. Counted no higher here than there, so that nothing is refused that the service takes. */
  static final int MAX_LEXEMES = 1_000_000;

  /** Anchors, aliases, tags and directives. */
  static final int MAX_PROPERTIES = 10_000;

  static final int MAX_ALIASES = 100;

  /** How many values aliases may add to a document: 100 copies of a large one would still fill the memory. */
  static final int MAX_ALIASED_VALUES = 100_000;

  /** No refusal names more faults; what is left out is shown by the next try. */
  static final int MAX_FAULTS = 100;

  private YamlBounds() {}

  static String tooLarge(long bytes) {
    return "the text has " + bytes + " bytes: a workflow may have " + MAX_BYTES;
  }
}
