package io.flowgate.client.internal.calls;

import io.flowgate.client.ApiKey;
import io.flowgate.client.AuditItem;
import io.flowgate.client.AuditQuery;
import io.flowgate.client.CallOptions;
import io.flowgate.client.KeyGrant;
import io.flowgate.client.KeysQuery;
import io.flowgate.client.MadeKey;
import io.flowgate.client.MakeKeyOptions;
import io.flowgate.client.Page;
import io.flowgate.client.RotateKeyOptions;
import io.flowgate.client.WhoAmI;
import io.flowgate.client.internal.http.Question;
import io.flowgate.client.internal.json.JsonBody;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Who one is, the keys that one has, and who did what, each as an operation. Arguments are checked here, at once. */
public final class Keys {
  private final Service service;

  Keys(Service service) {
    this.service = service;
  }

  public Operation<WhoAmI> whoami(CallOptions options) {
    URI address = service.address(Map.of(), "whoami");
    return service.read(
        address, options.timeout(), answer -> answer.get("grants") instanceof List, KeyReader::whoami);
  }

  public Operation<MadeKey> make(MakeKeyOptions options) {
    List<KeyGrant> grants = options.grants();
    JsonBody body =
        new JsonBody()
            .text("owner", options.owner())
            .text("name", options.name())
            .json("groups", options.groups() == null ? null : texts(options.groups()))
            .json("grants", grants == null ? null : listed(grants.stream().map(Keys::json).toList()))
            .number("expiresAt", options.expiresAt() == null ? null : options.expiresAt().toEpochMilli());
    return made(service.address(Map.of(), "keys"), body.bytes(), options.timeout());
  }

  public Operation<Page<ApiKey>> list(KeysQuery query) {
    Map<String, List<String>> parameters =
        new Query()
            .with("owner", query.owner())
            .with("cursor", query.after())
            .with("limit", query.limit())
            .parameters();
    return service.read(
        service.address(parameters, "keys"),
        query.timeout(),
        answer -> answer.get("items") instanceof List,
        KeyReader::keys);
  }

  public Operation<MadeKey> rotate(String id, RotateKeyOptions options) {
    Arguments.id("id", id);
    Long overlapMs = options.overlap() == null ? null : options.overlap().toMillis();
    byte[] body = new JsonBody().number("overlapMs", overlapMs).bytes();
    return made(service.address(Map.of(), "keys", id, "rotate"), body, options.timeout());
  }

  public Operation<Void> revoke(String id, CallOptions options) {
    Arguments.id("id", id);
    return done(() -> Question.delete(service.address(Map.of(), "keys", id), "unknown-key"), options);
  }

  public Operation<Void> revokeOwner(String owner, CallOptions options) {
    Arguments.id("owner", owner);
    return done(() -> Question.post(service.address(Map.of(), "owners", owner, "revoke")), options);
  }

  public Operation<Page<AuditItem>> audit(AuditQuery query) {
    Map<String, List<String>> parameters =
        new Query()
            .with("owner", query.owner())
            .with("action", query.action())
            .with("runId", query.runId())
            .with("after", query.since() == null ? null : query.since().toEpochMilli())
            .with("before", query.until() == null ? null : query.until().toEpochMilli())
            .with("cursor", query.after())
            .with("limit", query.limit())
            .parameters();
    return service.read(
        service.address(parameters, "audit"),
        query.timeout(),
        answer -> answer.get("items") instanceof List,
        KeyReader::audit);
  }

  /** Sent once: where the answer is lost, a second try would leave a key behind of which nobody has the secret. */
  private Operation<MadeKey> made(URI address, byte[] body, Duration timeout) {
    return new Ask<>(
        service.tries().once(),
        service.bound(timeout),
        () -> Question.post(address, body, null, answer -> answer.get("secret") instanceof String),
        KeyReader::made);
  }

  private Operation<Void> done(Supplier<Question> question, CallOptions options) {
    return new Ask<>(service.tries(), service.bound(options.timeout()), question, text -> null);
  }

  private static String json(KeyGrant grant) {
    return new JsonBody()
        .text("namespace", grant.namespace())
        .json("roles", texts(grant.roles()))
        .json("workflows", grant.workflows() == null ? null : texts(grant.workflows()))
        .json();
  }

  private static String texts(List<String> texts) {
    return listed(texts.stream().map(JsonBody::quoted).toList());
  }

  private static String listed(List<String> items) {
    return items.stream().collect(Collectors.joining(",", "[", "]"));
  }
}
