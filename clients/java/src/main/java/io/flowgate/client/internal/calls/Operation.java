package io.flowgate.client.internal.calls;

import java.time.Duration;

/** A call that can be made: of what it consists, how long it may take, and what its answer is read as. */
public interface Operation<T> {
  /** More than a hundred years: no bound. */
  Duration timeout();

  RuntimeException onTimeout();

  /** Begins the work; whatever it comes to ends the flight. Throws what keeps it from beginning. */
  void begin(Flight flight);

  T read(String text);
}
