package io.flowgate.client;

import java.util.List;

/**
 * What became of a list that is watched. A list of a later service may change in ways that this version does not know:
 * those are left out.
 *
 * @param <T> what is listed
 */
public sealed interface ListChange<T> {
  /**
   * All that there is on the first page. It comes first, and again whenever the connection was made anew: what was known
   * before is then to be forgotten.
   *
   * @param <T> what is listed
   * @param items of the page
   * @param next {@code after} of the next page; null: there is none
   */
  record Snapshot<T>(List<T> items, String next) implements ListChange<T> {
    /** Copies the list. */
    public Snapshot {
      items = List.copyOf(items);
    }
  }

  /**
   * An item is new, or other than it was.
   *
   * @param <T> what is listed
   * @param item as it is now
   */
  record Upsert<T>(T item) implements ListChange<T> {}

  /**
   * An item is not of the list any more.
   *
   * @param <T> what is listed
   * @param runId of the run
   * @param gateId of the gate; null in a list of runs
   */
  record Remove<T>(String runId, Long gateId) implements ListChange<T> {}
}
