package io.flowgate.client.internal.http;

import java.io.IOException;

/** One frame of a stream has more bytes than are read. Coming back would not help: it is the same one then. */
public final class FrameTooLongException extends IOException {
  private static final long serialVersionUID = 1;

  FrameTooLongException(long maxBytes) {
    super("an event has more than " + maxBytes + " bytes: raise maxResponseBytes");
  }
}
