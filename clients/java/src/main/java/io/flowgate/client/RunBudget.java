package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;

/**
 * What a run may use from now on, all of it together, in place of what its workflow says. Immutable.
 *
 * @param maxTokens tokens, at least 0; null: as it was
 * @param maxCost in the currency that the units report, 0 to 10<sup>15</sup>; null: as it was
 */
public record RunBudget(Long maxTokens, Double maxCost) {
  private static final RunBudget DEFAULTS = new RunBudget(null, null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public RunBudget {
    Arguments.budget(maxTokens, maxCost);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static RunBudget defaults() {
    return DEFAULTS;
  }

  /**
   * With a bound of tokens.
   *
   * @param given tokens, at least 0
   * @return a new budget
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunBudget maxTokens(long given) {
    return new RunBudget(given, maxCost);
  }

  /**
   * With a bound of cost.
   *
   * @param given in the currency that the units report, 0 to 10<sup>15</sup>
   * @return a new budget
   * @throws IllegalArgumentException it cannot be meant
   */
  public RunBudget maxCost(double given) {
    return new RunBudget(maxTokens, given);
  }
}
