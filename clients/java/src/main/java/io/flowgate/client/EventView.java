package io.flowgate.client;

/** How what a run did is shown. */
public enum EventView {
  /** As a few types that stay as they are, each with a published schema. */
  PUBLIC,
  /** As the run's log has it, with branches, items, joins, waits and children, and where each is. */
  LOG
}
