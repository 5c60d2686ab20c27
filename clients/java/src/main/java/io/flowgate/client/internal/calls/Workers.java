package io.flowgate.client.internal.calls;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads on which answers are read and the caller's continuations run. There are as many as it takes: with a bound,
 * continuations that wait for one another could use them all up. Nothing that is handed over is ever lost, not even when
 * the client is closed meanwhile: then it runs on a thread of its own.
 */
final class Workers implements Executor {
  private static final long IDLE_SECONDS = 5;
  private static final AtomicInteger CLIENTS = new AtomicInteger();

  private final ThreadFactory threads;
  private final ThreadPoolExecutor pool;
  /** All that have not ended; some that have, until the next one is made. */
  private final Set<Thread> made = ConcurrentHashMap.newKeySet();

  private static final class Worker extends Thread {
    /** Tells the threads of one client from all others. */
    private final Workers owner;

    Worker(Runnable work, String name, Workers owner) {
      super(null, work, name, 0, false);
      this.owner = owner;
      setDaemon(true);
    }
  }

  Workers() {
    String name = "flowgate-client-" + CLIENTS.incrementAndGet() + "-";
    AtomicInteger count = new AtomicInteger();
    threads =
        work -> {
          made.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
          Thread thread = new Worker(work, name + count.incrementAndGet(), this);
          made.add(thread);
          return thread;
        };
    pool =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            threads,
            (work, ended) -> threads.newThread(work).start());
  }

  @Override
  public void execute(Runnable work) {
    pool.execute(work);
  }

  ThreadFactory threads() {
    return threads;
  }

  boolean isOneOfThem(Thread thread) {
    return thread instanceof Worker worker && worker.owner == this;
  }

  void shutdown() {
    pool.shutdown();
  }

  /** A pool is terminated a moment before its last thread is: that one is waited for, too. */
  void awaitEnd(Duration timeout) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    pool.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    for (Thread thread : made) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (leftMs <= 0) return;
      thread.join(leftMs);
    }
  }
}
