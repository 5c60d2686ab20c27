package io.flowgate.client.internal.calls;

import io.flowgate.client.EventPage;
import io.flowgate.client.PublicEvent;
import io.flowgate.client.internal.json.Fields;
import java.util.List;
import java.util.Map;

/** Makes records of what a run did. */
final class EventReader {
  private EventReader() {}

  static EventPage events(String json) {
    Fields page = RecordReader.fields(json);
    return new EventPage(page.objects("items").stream().map(EventReader::event).toList(), page.wholeOrNull("next"), json);
  }

  static PublicEvent event(String json) {
    return event(RecordReader.fields(json));
  }

  /** Says that events were missed: of no run. */
  static PublicEvent reset() {
    return new PublicEvent(null, null, 0, 0, "reset", Map.of(), null, null, List.of());
  }

  private static PublicEvent event(Fields event) {
    Fields data = event.object("data");
    return new PublicEvent(
        event.text("runId"),
        event.text("workflowId"),
        event.whole("seq", 0),
        event.whole("at", 0),
        event.text("type"),
        data == null ? Map.of() : data.all(),
        event.text("path"),
        event.text("scope"),
        event.objects("cut").stream().map(EventReader::cut).toList(),
        change(event.object("change")));
  }

  private static PublicEvent.Change change(Fields change) {
    if (change == null) return null;
    Fields data = change.object("data");
    return new PublicEvent.Change(change.text("type"), data == null ? Map.of() : data.all());
  }

  private static PublicEvent.CutValue cut(Fields cut) {
    return new PublicEvent.CutValue(cut.text("pointer"), cut.whole("bytes", 0), cut.text("head"));
  }
}
