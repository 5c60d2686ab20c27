package io.flowgate.client.internal.calls;

import io.flowgate.client.CallOptions;
import io.flowgate.client.EventPage;
import io.flowgate.client.EventView;
import io.flowgate.client.EventsOptions;
import io.flowgate.client.GatePage;
import io.flowgate.client.GatesQuery;
import io.flowgate.client.Page;
import io.flowgate.client.PageOptions;
import io.flowgate.client.PublicEvent;
import io.flowgate.client.RunItem;
import io.flowgate.client.RunsQuery;
import io.flowgate.client.SnapshotItem;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** Finding runs, gates, checkpoints and what happened, each as an operation. Arguments are checked here, at once. */
public final class RunLists {
  private static final Predicate<Map<String, Object>> IS_PAGE = answer -> answer.get("items") instanceof List;

  private final Service service;

  RunLists(Service service) {
    this.service = service;
  }

  public Operation<Page<RunItem>> listRuns(RunsQuery query) {
    return service.read(service.address(query.parameters(), "runs"), query.timeout(), IS_PAGE, ListReader::runs);
  }

  public Operation<GatePage> listGates(GatesQuery query) {
    return service.read(service.address(of(query), "gates"), query.timeout(), IS_PAGE, ListReader::gates);
  }

  public Operation<Page<SnapshotItem>> listSnapshots(String workflowId, String runId, PageOptions options) {
    URI address = service.ofRun(of(options), workflowId, runId, "snapshots");
    return service.read(
        address, options.timeout(), answer -> answer.get("snapshots") instanceof List, ListReader::snapshots);
  }

  public Operation<EventPage> events(String workflowId, String runId, EventsOptions options) {
    Map<String, List<String>> query =
        new Query()
            .with("afterSeq", options.afterSeq())
            .with("tail", options.tail())
            .with("limit", options.limit())
            .with("view", view(options.view()))
            .parameters();
    URI address = service.ofRun(query, workflowId, runId, "events");
    return service.read(address, options.timeout(), IS_PAGE, EventReader::events);
  }

  public Operation<PublicEvent> event(String workflowId, String runId, long seq, EventView view, CallOptions options) {
    Arguments.seq("seq", seq);
    Map<String, List<String>> query = new Query().with("view", view(view)).parameters();
    URI address = service.ofRun(query, workflowId, runId, "events", Long.toString(seq));
    return service.read(
        address, options.timeout(), answer -> answer.get("type") instanceof String, EventReader::event);
  }

  static Map<String, List<String>> of(GatesQuery query) {
    return new Query()
        .with("status", query.decided() ? "decided" : "open")
        .with("workflowId", query.workflowId())
        .with("cursor", query.after())
        .with("limit", query.limit())
        .parameters();
  }

  static Map<String, List<String>> of(PageOptions options) {
    return new Query().with("cursor", options.after()).with("limit", options.limit()).parameters();
  }

  /** Null: the one that holds where nothing is said. */
  static String view(EventView view) {
    return view == EventView.PUBLIC ? null : view.name().toLowerCase(Locale.ROOT);
  }
}
