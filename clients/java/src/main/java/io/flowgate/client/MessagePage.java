package io.flowgate.client;

import java.util.List;

/**
 * One page of a run's messages, oldest first.
 *
 * @param messages of the page; until the end a page may be short, or empty
 * @param next {@code after} of the next page; null at the end
 * @param json the answer as it came
 */
public record MessagePage(List<RunMessage> messages, String next, String json) {
  /** Copies the list. */
  public MessagePage {
    messages = List.copyOf(messages);
  }
}
