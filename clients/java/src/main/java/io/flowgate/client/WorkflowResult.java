package io.flowgate.client;

import io.flowgate.client.internal.json.JsonValues;
import io.flowgate.client.internal.json.ObjectMapping;
import java.util.List;
import java.util.Map;

/**
 * What a run has come to so far (interface, section 2). Deeply immutable.
 *
 * <p>Values of JSON are given as {@code Map}, {@code List}, {@code String}, {@code Boolean}, null and numbers: whole ones as
 * {@code Integer}, {@code Long} or {@code BigInteger}, whichever is the first to hold them; others (with a point or an
 * exponent) as {@code Double}, or as {@code BigDecimal} where they have more than 17 digits or lie beyond a double.
 *
 * @param runId of the run
 * @param completedUnits ids of the units that completed, in the order of their first completion
 * @param state the shared state: the input's keys, {@code output.<unitId>} per unit, what units wrote themselves
 * @param messages the newest 1,000, oldest first
 * @param duration ms of time not paused
 * @param tokenUsage in tokens
 * @param cost in the currency that the units report; by convention US dollars
 * @param output what {@code spec.output} of the workflow gave, a value of JSON; null: that, or it has none, or the run is not over
 */
public record WorkflowResult(
    String runId,
    List<String> completedUnits,
    Map<String, Object> state,
    List<RunMessage> messages,
    double duration,
    double tokenUsage,
    double cost,
    Object output) {
  /** Copies what could be changed. */
  public WorkflowResult {
    completedUnits = List.copyOf(completedUnits);
    state = JsonValues.immutable(state);
    messages = List.copyOf(messages);
    output = JsonValues.immutable(output);
  }

  /**
   * The shared state as a record or a bean of yours, by Jackson: name keys such as {@code output.greet} by
   * {@code @JsonProperty}. Keys that the type does not have are ignored. On the module path the type's package must be open
   * to {@code com.fasterxml.jackson.databind}.
   *
   * @param <T> the type
   * @param type what to make of it
   * @return a new object
   * @throws FlowgateException the state is no such thing
   */
  public <T> T stateAs(Class<T> type) {
    return ObjectMapping.stateAs(state, type);
  }

  @Override
  public String toString() {
    return "WorkflowResult[runId=" + runId + ", completedUnits=" + completedUnits + "]";
  }
}
