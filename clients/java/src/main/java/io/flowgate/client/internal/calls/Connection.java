package io.flowgate.client.internal.calls;

import io.flowgate.client.internal.http.Exchange;
import io.flowgate.client.internal.http.HttpClientEnd;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** What a client works with, and lets go of in the end: threads, the HTTP client, the calls under way. */
public final class Connection implements AutoCloseable {
  private static final Duration LONGEST_END = Duration.ofSeconds(1);

  private final Workers workers = new Workers();
  private final boolean hasOwnHttpClient;
  private final boolean hasOwnScheduler;
  private final ScheduledExecutorService scheduler;
  private final Calls calls;
  private final Operations operations;
  private final RunBatches batches;
  private final RunLists lists;
  private final RunCopies copies;
  private final WorkflowVersions versions;
  private final Keys keys;
  private final Watches watches;

  /** Null once it is closed: on Java 17 nothing but the collection of the last reference ends its thread. */
  private volatile HttpClient httpClient;

  /**
   * @param checkedText the text of a workflow that is given as such or by its path; throws a
   *     {@code FlowgateValidationException} for a wrong one
   * @param text the same, right or wrong
   */
  public Connection(Settings settings, UnaryOperator<String> checkedText, UnaryOperator<String> text) {
    hasOwnHttpClient = settings.httpClient() == null;
    httpClient = hasOwnHttpClient ? newHttpClient(settings) : settings.httpClient();
    hasOwnScheduler = settings.scheduler() == null;
    scheduler = hasOwnScheduler ? newScheduler() : settings.scheduler();
    InstantSource clock = settings.clock() == null ? InstantSource.system() : settings.clock();
    // The clock of the wall may be set while a try is under way; the caller's is the caller's.
    LongSupplier millis = settings.clock() == null ? () -> System.nanoTime() / 1_000_000 : clock::millis;
    Exchange exchange =
        new Exchange(
            settings.address(),
            this::httpClient,
            settings.headers(),
            settings.credentials(),
            settings.maxResponseBytes(),
            clock);
    Waiting waiting = new Waiting(scheduler, workers);
    calls = new Calls(waiting);
    Service service = new Service(new Tries(settings.retries(), exchange, waiting, millis), settings.timeout());
    operations = new Operations(service, calls, checkedText);
    batches = new RunBatches(service);
    lists = new RunLists(service);
    copies = new RunCopies(service);
    versions = new WorkflowVersions(service, text);
    keys = new Keys(service);
    watches = new Watches(service, calls);
  }

  public Calls calls() {
    return calls;
  }

  public Operations operations() {
    return operations;
  }

  public RunBatches batches() {
    return batches;
  }

  public RunLists lists() {
    return lists;
  }

  public RunCopies copies() {
    return copies;
  }

  public WorkflowVersions versions() {
    return versions;
  }

  public Keys keys() {
    return keys;
  }

  public Watches watches() {
    return watches;
  }

  /** Waits a second at most, and not at all on a thread of its own. */
  @Override
  public void close() {
    HttpClient last;
    synchronized (this) {
      last = httpClient;
      httpClient = null;
    }
    calls.close();
    if (last == null) return;
    long deadline = System.nanoTime() + LONGEST_END.toNanos();
    if (hasOwnHttpClient) HttpClientEnd.shutdownNow(last);
    if (hasOwnScheduler) scheduler.shutdownNow();
    boolean mayWait = !workers.isOneOfThem(Thread.currentThread());
    try {
      if (hasOwnHttpClient && mayWait) HttpClientEnd.awaitEnd(last, left(deadline));
      workers.shutdown();
      if (!mayWait) return;
      if (hasOwnScheduler) scheduler.awaitTermination(left(deadline).toNanos(), TimeUnit.NANOSECONDS);
      workers.awaitEnd(left(deadline));
    } catch (InterruptedException interruption) {
      workers.shutdown();
      Thread.currentThread().interrupt();
    }
  }

  private HttpClient httpClient() {
    HttpClient open = httpClient;
    if (open == null) throw new IllegalStateException("The client is closed");
    return open;
  }

  private HttpClient newHttpClient(Settings settings) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        // A POST that follows becomes a GET, and headers that are meant for one service reach another.
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(settings.connectTimeout())
        .executor(workers)
        .build();
  }

  private ScheduledExecutorService newScheduler() {
    ScheduledThreadPoolExecutor one = new ScheduledThreadPoolExecutor(1, workers.threads());
    one.setRemoveOnCancelPolicy(true);
    return one;
  }

  private static Duration left(long deadline) {
    return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
  }
}
