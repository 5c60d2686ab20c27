package io.flowgate.client;

import java.util.List;

/**
 * What a search found.
 *
 * @param results best first
 * @param json the answer as it came
 */
public record MemorySearch(List<MemoryHit> results, String json) {
  /** Copies the list. */
  public MemorySearch {
    results = List.copyOf(results);
  }
}
