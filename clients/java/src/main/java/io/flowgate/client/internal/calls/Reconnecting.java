package io.flowgate.client.internal.calls;

import io.flowgate.client.FlowgateException;
import io.flowgate.client.WatchOptions;
import io.flowgate.client.internal.http.Credentials;
import io.flowgate.client.internal.http.Exchange;
import io.flowgate.client.internal.http.FrameReader;
import io.flowgate.client.internal.http.FrameReader.Frame;
import io.flowgate.client.internal.http.FrameTooLongException;
import io.flowgate.client.internal.http.Question;
import io.flowgate.client.internal.http.StreamBody;
import io.flowgate.client.internal.http.StreamExchange;
import io.flowgate.client.internal.http.StreamExchange.Opened;
import io.flowgate.client.internal.http.Try;
import io.flowgate.client.internal.http.Unreachable;
import io.flowgate.client.internal.json.JsonFault;
import io.flowgate.client.internal.json.JsonText;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The frames of a stream, over as many connections as it takes: each goes on behind the last frame of the one before. One
 * thread reads, any may close.
 *
 * <p>1. The first connection is tried as often as a call is. 2. Later ones are tried for as long as the options' patience
 * lasts since the last sign of life. 3. A pause grows until a frame has come or a connection has lasted, and is never
 * shorter than half of what the service asks for, within {@code maxRetryAfter}. 4. A stream that ends because its token is no longer
 * good goes on with another one, where there may be one. 5. Whatever waits does so for the flight, and ends with it.
 */
final class Reconnecting {
  private final URI address;
  private final WatchOptions options;
  private final Service service;
  private final Flight flight;
  private final StreamExchange exchange;
  /** Behind which the next connection goes on; may be null. */
  private String position;
  private FrameReader frames;
  private StreamBody body;
  /** With what the connection was opened. */
  private Credentials.Given given;
  private boolean hasBegun;
  private int again;
  private long retryMs;
  private long lastSign;
  private long connectedAt;

  Reconnecting(URI address, WatchOptions options, Service service, Calls calls) {
    this.address = address;
    this.options = options;
    this.service = service;
    exchange = new StreamExchange(service.tries().exchange());
    position = options.after();
    flight = calls.register();
    lastSign = now();
  }

  void begin() throws InterruptedException {
    connect();
  }

  /** Blocks; null: there is nothing more, or it was closed. */
  Frame next() throws InterruptedException {
    while (!flight.isOver()) {
      Frame frame = frames.poll();
      if (frame != null && isUnauthorized(frame)) {
        takeOtherToken();
        continue;
      }
      if (frame != null) {
        again = 0;
        return frame;
      }
      if (body == null) connect();
      else readMore(body);
    }
    return over();
  }

  void close() {
    if (!flight.isOver()) flight.succeed("");
  }

  /** Throws where the client was closed. */
  private Frame over() {
    try {
      flight.end().join();
      return null;
    } catch (CompletionException ended) {
      throw Calls.asOfThisThread(ended.getCause());
    }
  }

  private void readMore(StreamBody open) throws InterruptedException {
    Runnable noLonger = open.isThereMore() ? () -> {} : inSilence(open);
    try {
      byte[] piece = open.take();
      if (piece == null) throw new EOFException("the stream ended before what it tells of");
      lastSign = now();
      frames.read(piece);
      retryMs = frames.retryMs();
    } catch (FrameTooLongException tooLong) {
      throw new FlowgateException("The stream of " + origin() + " cannot be read: " + tooLong.getMessage(), tooLong);
    } catch (IOException broken) {
      letGo();
      afterFailure(new Try.Failed(Unreachable.because(exchange.exchange().address(), broken), true, Duration.ZERO));
    } finally {
      noLonger.run();
    }
  }

  /** The stream is not over, but may no longer be told to whoever opened it. */
  private static boolean isUnauthorized(Frame frame) {
    if (!frame.type().equals("end")) return false;
    try {
      return "unauthorized".equals(JsonText.object(frame.data()).get("status"));
    } catch (JsonFault none) {
      return false;
    }
  }

  private void takeOtherToken() throws InterruptedException {
    RuntimeException noLongerGood = exchange.exchange().noLongerGood();
    if (!credentials().isRenewable()) throw noLongerGood;
    credentials().refused(given);
    letGo();
    afterFailure(new Try.Failed(noLongerGood, true, Duration.ZERO));
  }

  /** Interruptible, and ends with the flight; null: that is over. */
  private Credentials.Given asked() throws InterruptedException {
    if (!credentials().isRenewable()) return credentials().given();
    CompletableFuture<Credentials.Given> asked =
        CompletableFuture.supplyAsync(credentials()::given, waiting().workers());
    flight.goesOnWith(() -> asked.complete(null));
    try {
      return asked.get();
    } catch (ExecutionException failed) {
      throw Calls.asOfThisThread(failed.getCause());
    }
  }

  private Credentials credentials() {
    return exchange.exchange().credentials();
  }

  private Runnable inSilence(StreamBody open) {
    String because = "nothing came for " + options.silence().toMillis() + " ms";
    return waiting().later(options.silence(), () -> open.breakOff(new IOException(because)));
  }

  /** All whole frames were handed over. */
  private void letGo() {
    position = frames.position();
    body.close();
    body = null;
    if (now() - connectedAt >= service.tries().retries().renewAfter().toMillis()) again = 0;
  }

  private void connect() throws InterruptedException {
    boolean isRenewed = !credentials().isRenewable();
    while (!flight.isOver() && body == null) {
      given = asked();
      if (given == null) return;
      Opened opened = opened();
      if (opened instanceof Opened.Streaming streaming) {
        body = streaming.body();
        frames = new FrameReader(position, exchange.exchange().maxResponseBytes());
        hasBegun = true;
        connectedAt = now();
        flight.goesOnWith(streaming.body()::close);
      } else if (opened instanceof Opened.NothingLeft) {
        close();
      } else if (opened instanceof Opened.Refused refused && !isRenewed && Exchange.isUnauthorized(refused.failed())) {
        isRenewed = true;
        credentials().refused(given);
      } else if (opened instanceof Opened.Refused refused && !flight.isOver()) {
        afterFailure(refused.failed());
      }
    }
  }

  private Opened opened() throws InterruptedException {
    StreamExchange.Opening opening = exchange.open(Question.stream(address, position), given);
    flight.goesOnWith(opening::cancel);
    Duration timeout = service.timeout();
    boolean isBounded = timeout.compareTo(Operations.FOREVER) < 0;
    Try.Failed silent = new Try.Failed(Unreachable.silent(exchange.exchange().address(), timeout), hasBegun, Duration.ZERO);
    Runnable inTime = isBounded ? waiting().later(timeout, () -> opening.expire(silent)) : () -> {};
    try {
      return opening.ended().get();
    } catch (ExecutionException fault) {
      throw Calls.asOfThisThread(fault.getCause());
    } finally {
      inTime.run();
    }
  }

  /** Waits, or throws what it failed with. */
  private void afterFailure(Try.Failed failed) throws InterruptedException {
    if (flight.isOver()) return;
    Duration longest = service.tries().retries().maxRetryAfter();
    boolean isTooLate = failed.retryAfter().compareTo(longest) > 0;
    if (!failed.isPassing() || isTooLate || isPatienceOver()) throw failed.error();
    Duration pause = service.tries().pause(again++);
    double askedMs = Math.min(retryMs, longest.toMillis());
    Duration asked = Duration.ofMillis((long) (askedMs * (0.5 + ThreadLocalRandom.current().nextDouble() / 2)));
    pause(longest(pause, asked, failed.retryAfter()));
  }

  private boolean isPatienceOver() {
    if (!hasBegun) return again >= service.tries().retries().count();
    return now() - lastSign > options.patience().toMillis();
  }

  private void pause(Duration pause) throws InterruptedException {
    CountDownLatch isOver = new CountDownLatch(1);
    Runnable noLonger = waiting().later(pause, isOver::countDown);
    flight.goesOnWith(isOver::countDown);
    try {
      isOver.await();
    } finally {
      noLonger.run();
    }
  }

  private static Duration longest(Duration first, Duration second, Duration third) {
    Duration longer = first.compareTo(second) > 0 ? first : second;
    return longer.compareTo(third) > 0 ? longer : third;
  }

  private String origin() {
    return exchange.exchange().address().toString();
  }

  private Waiting waiting() {
    return service.tries().waiting();
  }

  private long now() {
    return service.tries().millis().getAsLong();
  }
}
