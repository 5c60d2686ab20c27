package io.flowgate.client;

import io.flowgate.client.internal.json.JsonValues;
import java.util.Map;

/**
 * What somebody did.
 *
 * @param id opaque
 * @param at epoch ms
 * @param action such as {@code run.start}, {@code gate.decide}, {@code key.make}
 * @param namespace null: it belongs to none
 * @param by who did it; null: the service itself, or nobody who is known
 * @param workflowId null: it is about none
 * @param runId also of a run that was purged; null: it is about none
 * @param seq of the event of the run that says so; null: none does
 * @param subject the account that it was done to; null: none
 * @param target the key, run, version or content that it was done to; null: what the other fields say
 * @param facts what else is known, by names and numbers, never a payload; deeply immutable
 */
public record AuditItem(
    String id,
    long at,
    String action,
    String namespace,
    By by,
    String workflowId,
    String runId,
    Long seq,
    String subject,
    String target,
    Map<String, Object> facts) {
  /** Copies what could be changed. */
  public AuditItem {
    facts = JsonValues.immutable(facts);
  }

  /**
   * Who acted.
   *
   * @param id of a key its id, of anybody else their name
   * @param owner the account; null: the name was only claimed
   * @param via how they came
   * @param auth how it was known who they are
   */
  public record By(String id, String owner, String via, String auth) {}
}
