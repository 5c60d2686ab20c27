package io.flowgate.client.internal.calls;

import io.flowgate.client.GateItem;
import io.flowgate.client.GatesQuery;
import io.flowgate.client.ListChange;
import io.flowgate.client.PublicEvent;
import io.flowgate.client.RunItem;
import io.flowgate.client.RunsQuery;
import io.flowgate.client.WatchOptions;
import io.flowgate.client.internal.http.FrameReader.Frame;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What can be watched. Each method asks the service at once, and blocks until a stream has begun. */
public final class Watches {
  private static final String RESET = "reset";

  private final Service service;
  private final Calls calls;

  Watches(Service service, Calls calls) {
    this.service = service;
    this.calls = calls;
  }

  public Watching<PublicEvent> run(String workflowId, String runId, WatchOptions options) {
    return run(workflowId, runId, options, frame -> EventReader.event(frame.data()));
  }

  public Watching<String> runAsText(String workflowId, String runId, WatchOptions options) {
    return run(workflowId, runId, options, Frame::data);
  }

  public Watching<PublicEvent> all(WatchOptions options) {
    return begun(
        service.address(viewed(options), "events"),
        options,
        frame -> frame.type().equals(RESET) ? EventReader.reset() : EventReader.event(frame.data()));
  }

  public Watching<ListChange<RunItem>> runs(RunsQuery query, WatchOptions options) {
    URI address = service.address(query.parameters(), "runs");
    return begun(address, options, frame -> ListReader.change(frame.type(), frame.data(), ListReader::run));
  }

  public Watching<ListChange<GateItem>> gates(GatesQuery query, WatchOptions options) {
    URI address = service.address(RunLists.of(query), "gates");
    return begun(address, options, frame -> ListReader.change(frame.type(), frame.data(), ListReader::gate));
  }

  private <T> Watching<T> run(String workflowId, String runId, WatchOptions options, Function<Frame, T> reader) {
    return begun(service.ofRun(viewed(options), workflowId, runId, "events"), options, reader);
  }

  private <T> Watching<T> begun(URI address, WatchOptions options, Function<Frame, T> reader) {
    Reconnecting stream = new Reconnecting(address, options, service, calls);
    Watching<T> watching = new Watching<>(stream, options.after(), reader);
    watching.begin();
    return watching;
  }

  private static Map<String, List<String>> viewed(WatchOptions options) {
    return new Query().with("view", RunLists.view(options.view())).parameters();
  }
}
