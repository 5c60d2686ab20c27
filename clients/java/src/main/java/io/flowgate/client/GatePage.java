package io.flowgate.client;

import java.util.List;

/**
 * One page of the gates of all runs, newest first.
 *
 * @param items of the page; until the end a page may be short, or empty
 * @param next {@code after} of the next page; null at the end
 * @param open how many wait for a decision, of the requested workflow or of all
 * @param json the answer as it came
 */
public record GatePage(List<GateItem> items, String next, long open, String json) {
  /** Copies the list. */
  public GatePage {
    items = List.copyOf(items);
  }
}
