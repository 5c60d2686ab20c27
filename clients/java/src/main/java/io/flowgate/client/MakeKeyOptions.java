package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a new API key is to be. Immutable.
 *
 * @param owner whose key it is; null: yours; another one needs {@code key:manage}
 * @param name for people to read; null: none
 * @param groups of whoever comes with it; null: yours
 * @param grants what it may do, never more than you; null: what you may
 * @param expiresAt default and most, for null: what the service allows; never after your own
 * @param timeout the longest that the whole call may take, all its tries together; null: the client's
 */
public record MakeKeyOptions(String owner, String name, List<String> groups, List<KeyGrant> grants, Instant expiresAt, Duration timeout) {
  private static final MakeKeyOptions DEFAULTS = new MakeKeyOptions(null, null, null, null, null, null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public MakeKeyOptions {
    if (owner != null) Arguments.id("owner", owner);
    groups = groups == null ? null : List.copyOf(groups);
    grants = grants == null ? null : List.copyOf(grants);
    Arguments.timeout(timeout);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static MakeKeyOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Of somebody.
   *
   * @param given whose key it is; null: yours; another one needs {@code key:manage}
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public MakeKeyOptions owner(String given) {
    return new MakeKeyOptions(given, name, groups, grants, expiresAt, timeout);
  }

  /**
   * With a name.
   *
   * @param given for people to read; null: none
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public MakeKeyOptions name(String given) {
    return new MakeKeyOptions(owner, given, groups, grants, expiresAt, timeout);
  }

  /**
   * With groups.
   *
   * @param given of whoever comes with it; null: yours
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public MakeKeyOptions groups(List<String> given) {
    return new MakeKeyOptions(owner, name, given, grants, expiresAt, timeout);
  }

  /**
   * With grants.
   *
   * @param given what it may do, never more than you; null: what you may
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public MakeKeyOptions grants(List<KeyGrant> given) {
    return new MakeKeyOptions(owner, name, groups, given, expiresAt, timeout);
  }

  /**
   * Until then.
   *
   * @param given default and most, for null: what the service allows; never after your own
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public MakeKeyOptions expiresAt(Instant given) {
    return new MakeKeyOptions(owner, name, groups, grants, given, timeout);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public MakeKeyOptions timeout(Duration given) {
    return new MakeKeyOptions(owner, name, groups, grants, expiresAt, given);
  }
}
