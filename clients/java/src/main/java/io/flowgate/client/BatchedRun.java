package io.flowgate.client;

import io.flowgate.client.internal.json.JsonValues;
import java.util.List;
import java.util.Map;

/** What became of one run of a batch. */
public sealed interface BatchedRun {
  /**
   * It was started, or was started before under its key.
   *
   * @param run the run as it begins; its {@code json} is its part of the answer
   */
  record Started(RunRecord run) implements BatchedRun {}

  /**
   * It was refused, with what a start by itself would have been refused with.
   *
   * @param status of HTTP, of a start by itself
   * @param code a stable name of the error
   * @param error everything that is wrong, and what to do
   * @param type the error's class, where others have the same status; may be null
   * @param details JSON objects that say more, deeply immutable
   * @param detail a second sentence; may be null
   */
  record Refused(
      int status, String code, String error, String type, List<Map<String, Object>> details, String detail)
      implements BatchedRun {
    /** Copies what could be changed. */
    public Refused {
      details = details.stream().map(JsonValues::immutable).toList();
    }
  }
}
