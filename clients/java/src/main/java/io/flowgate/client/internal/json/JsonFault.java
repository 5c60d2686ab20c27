package io.flowgate.client.internal.json;

/** A text is not the JSON that it must be, or more of it than is read. The message says why. */
public final class JsonFault extends Exception {
  private static final long serialVersionUID = 1;

  JsonFault(String message) {
    super(message);
  }
}
