package io.flowgate.client.internal.document;

import java.util.Collection;
import java.util.Locale;

/** The known name that could have been meant: one slip in three letters. Case does not count. */
final class NearNames {
  /** Longer names are no slips, and the work grows with the square of the length. */
  private static final int MAX_LENGTH = 64;
  /** One slip in a name of two letters makes any other: of these only another case is near. */
  private static final int SHORTEST_TO_GUESS = 3;

  private NearNames() {}

  /** The nearest; null when none is near. */
  static String nearest(String name, Collection<String> known) {
    if (name.length() > MAX_LENGTH) return null;
    int allowed = name.length() < SHORTEST_TO_GUESS ? 0 : name.length() / 3;
    String nearest = null;
    int least = allowed + 1;
    for (String candidate : known) {
      if (Math.abs(candidate.length() - name.length()) > allowed) continue;
      int distance = distance(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
      if (distance >= least) continue;
      least = distance;
      nearest = candidate;
    }
    return nearest;
  }

  /** Insertions, deletions and replacements; two swapped neighbours count as one. */
  private static int distance(String a, String b) {
    int[][] rows = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) rows[i][0] = i;
    for (int j = 0; j <= b.length(); j++) rows[0][j] = j;
    for (int i = 1; i <= a.length(); i++) {
      for (int j = 1; j <= b.length(); j++) {
        int replaced = rows[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replaced, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
        boolean isSwap =
            i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        rows[i][j] = isSwap ? Math.min(best, rows[i - 2][j - 2] + 1) : best;
      }
    }
    return rows[a.length()][b.length()];
  }
}
