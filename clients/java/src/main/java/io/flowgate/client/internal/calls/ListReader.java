package io.flowgate.client.internal.calls;

import io.flowgate.client.GateItem;
import io.flowgate.client.GatePage;
import io.flowgate.client.ListChange;
import io.flowgate.client.Page;
import io.flowgate.client.RunItem;
import io.flowgate.client.SnapshotItem;
import io.flowgate.client.internal.json.Fields;
import java.util.List;
import java.util.function.Function;

/** Makes records of lists, and of what becomes of them. */
final class ListReader {
  private static final String ITEMS = "items";

  private ListReader() {}

  static Page<RunItem> runs(String json) {
    return page(json, ITEMS, ListReader::run);
  }

  static Page<SnapshotItem> snapshots(String json) {
    return page(
        json,
        "snapshots",
        item ->
            new SnapshotItem(item.text("snapshotId"), item.whole("createdAt", 0), item.text("after"), item.text("unitId")));
  }

  static GatePage gates(String json) {
    Fields page = RecordReader.fields(json);
    List<GateItem> items = page.objects(ITEMS).stream().map(ListReader::gate).toList();
    return new GatePage(items, page.text("next"), page.whole("open", 0), json);
  }

  static <T> Page<T> page(String json, String name, Function<Fields, T> item) {
    Fields page = RecordReader.fields(json);
    return new Page<>(page.objects(name).stream().map(item).toList(), page.text("next"), json);
  }

  /** Null: one of a later service. */
  static <T> ListChange<T> change(String type, String json, Function<Fields, T> item) {
    Fields change = RecordReader.fields(json);
    return switch (type) {
      case "snapshot" ->
          new ListChange.Snapshot<>(change.objects(ITEMS).stream().map(item).toList(), change.text("next"));
      case "upsert" -> new ListChange.Upsert<>(item.apply(change.has("item") ? change.object("item") : change));
      case "remove" -> new ListChange.Remove<>(change.text("runId"), change.wholeOrNull("gateId"));
      default -> null;
    };
  }

  static RunItem run(Fields run) {
    return new RunItem(
        run.text("runId"),
        run.text("workflowId"),
        RecordReader.status(run),
        run.whole("createdAt", 0),
        run.whole("updatedAt", 0),
        run.wholeOrNull("endedAt"),
        run.numberOrNull("duration"),
        run.numberOrNull("tokenUsage"),
        run.numberOrNull("cost"),
        run.textsByName("labels"),
        run.text("origin"),
        run.text("forkedFrom"),
        run.text("parentRunId"),
        run.text("definitionHash"),
        run.flag("cancelled"),
        run.text("error"),
        run.text("waitingFor"),
        run.objects("openGates").stream().map(ListReader::openGate).toList(),
        RecordReader.compensation(run.object("compensation")));
  }

  static GateItem gate(Fields gate) {
    Fields decision = gate.object("decision");
    return new GateItem(
        gate.whole("gateId", 0),
        gate.text("runId"),
        gate.text("workflowId"),
        gate.text("definitionHash"),
        gate.text("unitId"),
        gate.text("path"),
        gate.text("title"),
        gate.flag("titleCut"),
        gate.text("description"),
        gate.flag("descriptionCut"),
        gate.all().get("payload"),
        gate.flag("payloadCut"),
        gate.text("onReject"),
        gate.whole("openedAt", 0),
        decision == null ? null : decision(decision),
        gate.wholeOrNull("dueAt"));
  }

  private static GateItem.Decision decision(Fields decision) {
    return new GateItem.Decision(
        decision.flag("approved"), decision.text("responder"), decision.whole("decidedAt", 0), decision.text("comment"));
  }

  private static RunItem.OpenGate openGate(Fields gate) {
    return new RunItem.OpenGate(
        gate.whole("gateId", 0),
        gate.text("unitId"),
        gate.text("title"),
        gate.flag("titleCut"),
        gate.whole("openedAt", 0),
        gate.wholeOrNull("dueAt"));
  }
}
