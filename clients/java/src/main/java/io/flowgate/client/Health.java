package io.flowgate.client;

import java.util.List;

/**
 * How the service fares.
 *
 * @param ok whether it serves
 * @param workflows ids, in the order of their registration; empty where the service names none
 * @param version of the service; null where it names none
 * @param memoryBehind entries of the log that the search has not read yet; null where the service does not say
 * @param undecided runs that are paused because what follows could not be decided; null where the service does not say
 * @param stalled how often a run had stalled since the process began, each time by a defect; null where the service does
 *     not say
 * @param error why {@code ok} is false; null otherwise
 * @param json the answer as it came
 */
public record Health(
    boolean ok,
    List<String> workflows,
    String version,
    Long memoryBehind,
    Long undecided,
    Long stalled,
    String error,
    String json) {
  /** Copies the list. */
  public Health {
    workflows = List.copyOf(workflows);
  }
}
