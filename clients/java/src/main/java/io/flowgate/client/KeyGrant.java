package io.flowgate.client;

import java.util.List;

/**
 * What a key may do in a namespace. Immutable.
 *
 * @param namespace {@code *}: each of them, and what belongs to none
 * @param roles such as {@code operator}
 * @param workflows ids, each of which may end in {@code *}; null: all
 */
public record KeyGrant(String namespace, List<String> roles, List<String> workflows) {
  /** Copies the lists. */
  public KeyGrant {
    roles = List.copyOf(roles);
    workflows = workflows == null ? null : List.copyOf(workflows);
  }

  /**
   * Roles in a namespace, for all workflows.
   *
   * @param namespace {@code *}: each of them, and what belongs to none
   * @param roles such as {@code operator}
   * @return a grant
   */
  public static KeyGrant of(String namespace, String... roles) {
    return new KeyGrant(namespace, List.of(roles), null);
  }

  /**
   * For some workflows alone.
   *
   * @param given ids, each of which may end in {@code *}
   * @return a new grant
   */
  public KeyGrant workflows(String... given) {
    return new KeyGrant(namespace, roles, List.of(given));
  }
}
