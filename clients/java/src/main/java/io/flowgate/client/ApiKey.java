package io.flowgate.client;

import java.util.List;

/**
 * An API key, without its secret.
 *
 * @param id of the key
 * @param owner the account that it is of
 * @param name for people to read; may be null
 * @param groups of whoever comes with it
 * @param grants what it may do
 * @param madeBy the owner who made it; null: whoever started the service
 * @param createdAt epoch ms
 * @param expiresAt epoch ms
 * @param lastUsedAt epoch ms, at most five minutes old; null: never
 * @param revokedAt epoch ms; null: it was not revoked
 */
public record ApiKey(
    String id,
    String owner,
    String name,
    List<String> groups,
    List<KeyGrant> grants,
    String madeBy,
    long createdAt,
    long expiresAt,
    Long lastUsedAt,
    Long revokedAt) {
  /** Copies the lists. */
  public ApiKey {
    groups = List.copyOf(groups);
    grants = List.copyOf(grants);
  }
}
