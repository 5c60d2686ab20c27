package io.flowgate.client;

import java.util.List;

/**
 * One page of a list.
 *
 * @param <T> what is listed
 * @param items of the page; until the end a page may be short, or empty
 * @param next {@code after} of the next page; null at the end
 * @param json the answer as it came
 */
public record Page<T>(List<T> items, String next, String json) {
  /** Copies the list. */
  public Page {
    items = List.copyOf(items);
  }
}
