package io.flowgate.client;

import java.util.List;

/**
 * What became of the runs of a batch. {@link #toString()} leaves out the answer.
 *
 * @param runs in the order in which they were given
 * @param json the answer as it came
 */
public record StartedBatch(List<BatchedRun> runs, String json) {
  /** Copies the list. */
  public StartedBatch {
    runs = List.copyOf(runs);
  }

  @Override
  public String toString() {
    return "StartedBatch[runs=" + runs + "]";
  }
}
