package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Which runs are listed: those for which all holds that is said here. Immutable. */
public final class RunsQuery {
  private static final RunsQuery ALL = new RunsQuery(Map.of(), null);

  private final Map<String, List<String>> parameters;
  private final Duration timeout;

  private RunsQuery(Map<String, List<String>> parameters, Duration timeout) {
    this.parameters = parameters;
    this.timeout = timeout;
  }

  /**
   * All runs.
   *
   * @return always the same
   */
  public static RunsQuery all() {
    return ALL;
  }

  /**
   * Runs of a workflow.
   *
   * @param given its id
   * @return a new query
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunsQuery workflowId(String given) {
    Arguments.id("workflowId", given);
    return with("workflowId", given);
  }

  /**
   * Runs of one of these statuses.
   *
   * @param given at least one
   * @return a new query
   * @throws IllegalArgumentException there is none, or one is {@link RunStatus#UNKNOWN}
   */
  public RunsQuery status(RunStatus... given) {
    List<String> names = Arrays.stream(given).map(status -> status.name().toLowerCase(Locale.ROOT)).distinct().toList();
    if (names.isEmpty() || Arrays.asList(given).contains(RunStatus.UNKNOWN)) {
      throw new IllegalArgumentException("status must be at least one way that runs can stand in, and not UNKNOWN");
    }
    return with("status", String.join(",", names));
  }

  /**
   * Runs that have a label. In addition to those before: all must hold.
   *
   * @param name of the label
   * @param value of the label
   * @return a new query
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunsQuery label(String name, String value) {
    if (Arguments.text("label", name).contains(":")) throw new IllegalArgumentException("label: no name holds a colon");
    List<String> more = new ArrayList<>(parameters.getOrDefault("label", List.of()));
    more.add(name + ":" + Arguments.text("label", value));
    return with("label", more);
  }

  /**
   * Runs from this instant on.
   *
   * @param given whole milliseconds of it
   * @return a new query
   */
  public RunsQuery createdAfter(Instant given) {
    return with("createdAfter", Long.toString(given.toEpochMilli()));
  }

  /**
   * Runs of before this instant.
   *
   * @param given whole milliseconds of it
   * @return a new query
   */
  public RunsQuery createdBefore(Instant given) {
    return with("createdBefore", Long.toString(given.toEpochMilli()));
  }

  /**
   * Runs that wait for a decision.
   *
   * @return a new query
   */
  public RunsQuery openGate() {
    return with("openGate", "true");
  }

  /**
   * Runs that wait for a decision at a gate of a unit.
   *
   * @param given id of the unit
   * @return a new query
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunsQuery gateUnit(String given) {
    Arguments.id("gateUnit", given);
    return with("gateUnit", given);
  }

  /**
   * Runs that were cancelled, or those that were not.
   *
   * @param given which of them
   * @return a new query
   */
  public RunsQuery cancelled(boolean given) {
    return with("cancelled", Boolean.toString(given));
  }

  /**
   * Runs that came about in one way.
   *
   * @param given as {@link RunItem#origin()}
   * @return a new query
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunsQuery origin(String given) {
    Arguments.id("origin", given);
    return with("origin", given);
  }

  /**
   * Forks of a run.
   *
   * @param given its id
   * @return a new query
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunsQuery forkedFrom(String given) {
    Arguments.id("forkedFrom", given);
    return with("forkedFrom", given);
  }

  /**
   * Children of a run.
   *
   * @param given its id
   * @return a new query
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunsQuery parent(String given) {
    Arguments.id("parent", given);
    return with("parent", given);
  }

  /**
   * Runs that go by one version of a workflow.
   *
   * @param given its hash
   * @return a new query
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunsQuery definitionHash(String given) {
    Arguments.id("definitionHash", given);
    return with("definitionHash", given);
  }

  /**
   * Runs whose ids begin alike.
   *
   * @param given the beginning
   * @return a new query
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunsQuery idPrefix(String given) {
    Arguments.id("idPrefix", given);
    return with("id", given);
  }

  /**
   * From the end of another page on.
   *
   * @param given {@link Page#next()} of the page before; null: the first page
   * @return a new query
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunsQuery cursor(String given) {
    return with("cursor", given == null ? List.of() : List.of(Arguments.text("cursor", given)));
  }

  /**
   * The same as {@link #cursor(String)}, by its earlier name.
   *
   * @param given {@link Page#next()} of the page before; null: the first page
   * @return a new query
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunsQuery after(String given) {
    return cursor(given);
  }

  /**
   * With so many runs at most.
   *
   * @param given runs on the page, 1 to 200; not said: 50
   * @return a new query
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunsQuery limit(int given) {
    Arguments.limit(given);
    return with("limit", Integer.toString(given));
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return a new query
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunsQuery timeout(Duration given) {
    Arguments.timeout(given);
    return new RunsQuery(parameters, given);
  }

  /**
   * What is said here, as the parameters of the address that is asked.
   *
   * @return by name, immutable
   */
  public Map<String, List<String>> parameters() {
    return parameters;
  }

  /**
   * The longest that the whole call may take, all its tries together.
   *
   * @return null: the client's
   */
  public Duration timeout() {
    return timeout;
  }

  private RunsQuery with(String name, String value) {
    return with(name, List.of(value));
  }

  private RunsQuery with(String name, List<String> values) {
    Map<String, List<String>> more = new LinkedHashMap<>(parameters);
    more.put(name, List.copyOf(values));
    more.values().removeIf(List::isEmpty);
    return new RunsQuery(Collections.unmodifiableMap(more), timeout);
  }

  @Override
  public String toString() {
    return "RunsQuery" + parameters;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RunsQuery query
        && parameters.equals(query.parameters)
        && Objects.equals(timeout, query.timeout);
  }

  @Override
  public int hashCode() {
    return Objects.hash(parameters, timeout);
  }
}
