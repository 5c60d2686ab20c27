package io.flowgate.client;

import java.util.List;

/**
 * One page of what a run did, oldest first.
 *
 * @param items of the page; until the end a page may be short, or empty
 * @param next {@code afterSeq} of the next page; null: there is nothing more yet
 * @param json the answer as it came
 */
public record EventPage(List<PublicEvent> items, Long next, String json) {
  /** Copies the list. */
  public EventPage {
    items = List.copyOf(items);
  }
}
