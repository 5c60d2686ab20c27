package io.flowgate.client.internal.document;

/** Ends the reading of a text that is no YAML, or too much of it. Never leaves this package. */
final class SyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  final int offset;

  SyntaxException(int offset, String message) {
    // A hostile text is no bug of ours: the stack would say nothing and cost most of the time.
    super(message, null, false, false);
    this.offset = offset;
  }
}
