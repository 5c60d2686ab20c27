package io.flowgate.client.internal.calls;

import io.flowgate.client.ApiKey;
import io.flowgate.client.AuditItem;
import io.flowgate.client.KeyGrant;
import io.flowgate.client.MadeKey;
import io.flowgate.client.Page;
import io.flowgate.client.WhoAmI;
import io.flowgate.client.internal.json.Fields;
import java.util.Map;

/** Makes records of what the service says of those who ask, of their keys, and of who did what. */
final class KeyReader {
  private KeyReader() {}

  static WhoAmI whoami(String json) {
    Fields who = RecordReader.fields(json);
    return new WhoAmI(
        who.text("auth"),
        who.text("id"),
        who.text("owner"),
        who.text("name"),
        who.texts("groups"),
        who.wholeOrNull("expiresAt"),
        who.objects("grants").stream().map(KeyReader::granted).toList(),
        json);
  }

  static Page<ApiKey> keys(String json) {
    return ListReader.page(json, "items", KeyReader::key);
  }

  static MadeKey made(String json) {
    Fields made = RecordReader.fields(json);
    return new MadeKey(key(made.object("key")), made.text("secret"));
  }

  static Page<AuditItem> audit(String json) {
    return ListReader.page(json, "items", KeyReader::act);
  }

  private static AuditItem act(Fields act) {
    Fields by = act.object("by");
    Fields facts = act.object("facts");
    return new AuditItem(
        act.text("id"),
        act.whole("at", 0),
        act.text("action"),
        act.text("namespace"),
        by == null ? null : new AuditItem.By(by.text("id"), by.text("owner"), by.text("via"), by.text("auth")),
        act.text("workflowId"),
        act.text("runId"),
        act.wholeOrNull("seq"),
        act.text("subject"),
        act.text("target"),
        facts == null ? Map.of() : facts.all());
  }

  private static ApiKey key(Fields key) {
    return new ApiKey(
        key.text("id"),
        key.text("owner"),
        key.text("name"),
        key.texts("groups"),
        key.objects("grants").stream().map(KeyReader::grant).toList(),
        key.text("madeBy"),
        key.whole("createdAt", 0),
        key.whole("expiresAt", 0),
        key.wholeOrNull("lastUsedAt"),
        key.wholeOrNull("revokedAt"));
  }

  private static WhoAmI.Granted granted(Fields grant) {
    return new WhoAmI.Granted(
        grant.text("namespace"),
        grant.texts("permissions"),
        grant.all().get("workflows") == null ? null : grant.texts("workflows"));
  }

  private static KeyGrant grant(Fields grant) {
    return new KeyGrant(
        grant.text("namespace"), grant.texts("roles"), grant.has("workflows") ? grant.texts("workflows") : null);
  }
}
