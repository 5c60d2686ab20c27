package io.flowgate.client;

import io.flowgate.client.internal.calls.Watching;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What happens, as it happens: {@link #hasNext()} blocks until something did, or nothing more will. A connection that breaks
 * is made anew, and continues after the last event: nothing is missed, and nothing delivered twice.
 *
 * <p>One thread reads, and responds to interruption; any may close. It holds a connection until it has ended or is closed, and
 * no more of what happens than was read: a reader that is slow slows nobody. {@link FlowgateClient#close()} ends it, too.
 *
 * @param <T> what is delivered
 */
public final class Watch<T> implements Iterator<T>, AutoCloseable {
  private final Watching<T> watching;
  private T next;
  private String position;

  Watch(Watching<T> watching) {
    this.watching = watching;
    position = watching.position();
  }

  /**
   * Blocks until there is more to deliver.
   *
   * @return false: nothing more will happen, or it was closed
   * @throws FlowgateApiException the service refuses, or something else answers instead
   * @throws FlowgateUnreachableException nobody answers any more, for longer than {@link WatchOptions#patience()}
   * @throws FlowgateInterruptedException the thread was interrupted; the watch is closed
   * @throws IllegalStateException the client was closed
   */
  @Override
  public boolean hasNext() {
    if (next == null) next = watching.next();
    return next != null;
  }

  /**
   * Blocks until there is more to deliver.
   *
   * @return what happened
   * @throws NoSuchElementException nothing more will happen
   * @throws FlowgateException as {@link #hasNext()}
   * @throws IllegalStateException the client was closed
   */
  @Override
  public T next() {
    if (!hasNext()) throw new NoSuchElementException("The watch has ended: ask hasNext() first");
    T told = next;
    next = null;
    position = watching.position();
    return told;
  }

  /**
   * The position of what {@link #next()} gave last: where another watch continues, by {@link WatchOptions#after(String)}.
   *
   * @return before the first {@link #next()} what the options said; null: there is none, as lists have none
   */
  public String position() {
    return position;
  }

  /**
   * The rest of it as a stream, one after another; closing the stream closes the watch.
   *
   * @return a stream of what happens, which blocks as {@link #hasNext()} does
   */
  public Stream<T> stream() {
    Spliterator<T> rest = Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL);
    return StreamSupport.stream(rest, false).onClose(this::close);
  }

  /** Lets the connection go; who waits in {@link #hasNext()} gets false. Twice is allowed. */
  @Override
  public void close() {
    watching.close();
  }
}
