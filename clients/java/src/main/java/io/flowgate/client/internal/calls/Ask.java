package io.flowgate.client.internal.calls;

import io.flowgate.client.internal.http.Question;
import io.flowgate.client.internal.http.Unreachable;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One question to the service.
 *
 * @param tries asks it
 * @param timeout for all tries together
 * @param question made when the call begins; may refuse what is asked
 * @param reader makes a record of the answer
 */
record Ask<T>(Tries tries, Duration timeout, Supplier<Question> question, Function<String, T> reader)
    implements Operation<T> {
  @Override
  public RuntimeException onTimeout() {
    return Unreachable.silent(tries.exchange().address(), timeout);
  }

  @Override
  public void begin(Flight flight) {
    tries.begin(question.get(), flight);
  }

  @Override
  public T read(String text) {
    return reader.apply(text);
  }
}
