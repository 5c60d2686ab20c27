package io.flowgate.client;

import java.util.List;

/**
 * Who is asking, and what they may.
 *
 * @param auth how it is known who is asking: {@code key}, {@code jwt}, {@code host}; {@code none}: nobody was asked
 * @param id of the key or the token
 * @param owner the account; null: none is known
 * @param name for people to read; may be null
 * @param groups of the account
 * @param expiresAt epoch ms; null: never
 * @param grants what is granted
 * @param json the answer as it came
 */
public record WhoAmI(
    String auth,
    String id,
    String owner,
    String name,
    List<String> groups,
    Long expiresAt,
    List<Granted> grants,
    String json) {
  /** Copies what could be changed. */
  public WhoAmI {
    groups = List.copyOf(groups);
    grants = List.copyOf(grants);
  }

  /**
   * What is granted in a namespace.
   *
   * @param namespace {@code *}: each of them, and what belongs to none
   * @param permissions such as {@code run:start}
   * @param workflows ids, each of which may end in {@code *}; null: all
   */
  public record Granted(String namespace, List<String> permissions, List<String> workflows) {
    /** Copies the lists. */
    public Granted {
      permissions = List.copyOf(permissions);
      workflows = workflows == null ? null : List.copyOf(workflows);
    }
  }
}
