package io.flowgate.client.internal.http;

import java.time.Duration;

/** How one try ended. */
public sealed interface Try {
  /**
   * With an answer.
   *
   * @param text of JSON, as it came
   */
  record Answered(String text) implements Try {}

  /**
   * Without.
   *
   * @param error what the call ends with, unless it is tried again
   * @param isPassing the same request may well succeed later
   * @param retryAfter what the answer asked for; zero: nothing
   */
  record Failed(RuntimeException error, boolean isPassing, Duration retryAfter) implements Try {
    static Failed forGood(RuntimeException error) {
      return new Failed(error, false, Duration.ZERO);
    }
  }
}
