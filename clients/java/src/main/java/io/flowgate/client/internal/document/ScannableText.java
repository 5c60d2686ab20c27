package io.flowgate.client.internal.document;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * A text as the scanner of YAML can take it. The scanner refuses characters that the service takes (control characters,
 * half characters, points in the names of anchors, a text that begins with a colon), takes others for line ends that are
 * none to the service, and counts in code points. Such characters are lent others, of private use, that the text does not
 * hold: one unit for one, so that every offset stays what it was.
 */
final class ScannableText {
  private static final char FIRST_PRIVATE = '\uE000';
  private static final char LAST_PRIVATE = '\uF8FF';
  /** Longer names of anchors may not hold such signs; without a bound the search would be quadratic. */
  private static final int MAX_NAME = 128;

  private final String text;
  private final Map<Character, Character> originals;
  /** Of each character that is two units: how many code points stand before it. */
  private final int[] pairs;

  private ScannableText(String text, Map<Character, Character> originals, int[] pairs) {
    this.text = text;
    this.originals = originals;
    this.pairs = pairs;
  }

  static ScannableText of(String source) {
    BitSet taken = new BitSet();
    int[] pairs = new int[16];
    int pairCount = 0;
    boolean isOdd = false;
    for (int at = 0; at < source.length(); at++) {
      char unit = source.charAt(at);
      if (unit >= FIRST_PRIVATE && unit <= LAST_PRIVATE) taken.set(unit);
      else if (isPairAt(source, at)) {
        if (pairCount == pairs.length) pairs = Arrays.copyOf(pairs, pairs.length * 2);
        pairs[pairCount] = at - pairCount;
        pairCount++;
        at++;
      } else if (!isOdd && isOddAt(source, at)) isOdd = true;
    }
    pairs = Arrays.copyOf(pairs, pairCount);
    if (!isOdd) return new ScannableText(source, Map.of(), pairs);
    return lending(source, taken, pairs);
  }

  /** What the scanner is given. */
  String text() {
    return text;
  }

  /** The offset, in UTF-16 units, of what stands behind so many code points. */
  int offsetOf(int codePoints) {
    if (pairs.length == 0) return codePoints;
    int found = Arrays.binarySearch(pairs, codePoints);
    return codePoints + (found >= 0 ? found : -found - 1);
  }

  /** A part of the text as it was before. */
  String original(String part) {
    if (originals.isEmpty()) return part;
    StringBuilder result = null;
    for (int at = 0; at < part.length(); at++) {
      Character original = originals.get(part.charAt(at));
      if (original == null) continue;
      if (result == null) result = new StringBuilder(part);
      result.setCharAt(at, original);
    }
    return result == null ? part : result.toString();
  }

  private static ScannableText lending(String source, BitSet taken, int[] pairs) {
    Map<Character, Character> lent = new HashMap<>();
    Map<Character, Character> originals = new HashMap<>();
    StringBuilder text = new StringBuilder(source);
    int next = FIRST_PRIVATE;
    for (int at = 0; at < source.length(); at++) {
      if (isPairAt(source, at)) {
        at++;
        continue;
      }
      if (!isOddAt(source, at)) continue;
      char odd = source.charAt(at);
      Character replacement = lent.get(odd);
      if (replacement == null) {
        next = taken.nextClearBit(next);
        // Nobody writes 4,000 private characters and 2,000 odd ones; the scanner would refuse the rest.
        if (next > LAST_PRIVATE) break;
        replacement = (char) next++;
        lent.put(odd, replacement);
        originals.put(replacement, odd);
      }
      text.setCharAt(at, replacement);
    }
    return new ScannableText(text.toString(), originals, pairs);
  }

  private static boolean isPairAt(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        && at + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(at + 1));
  }

  private static boolean isOddAt(String text, int at) {
    char unit = text.charAt(at);
    if (unit == '.' || unit == '/' || unit == '*' || unit == '&') return isOddInName(text, at);
    if (unit == ':') return isFirstInBrackets(text, at);
    if (unit == '\r') return at + 1 == text.length() || text.charAt(at + 1) != '\n';
    if (unit < ' ') return unit != '\t' && unit != '\n';
    if (unit < 0x7f) return false;
    return unit <= 0x9f
        || unit == '\u2028'
        || unit == '\u2029'
        || Character.isSurrogate(unit)
        || unit == '\uFEFF'
        || unit >= '\uFFFE';
  }

  /** Whether it is the colon that a text without quotes begins with, as in {@code [:a, :b]}; the same holds there. */
  private static boolean isFirstInBrackets(String text, int at) {
    boolean isText = at + 1 < text.length() && " \t\r\n,[]{}".indexOf(text.charAt(at + 1)) < 0;
    if (!isText) return false;
    int before = at - 1;
    while (before >= 0 && at - before <= MAX_NAME && (text.charAt(before) == ' ' || text.charAt(before) == '\n')) before--;
    return before >= 0 && ",[{:".indexOf(text.charAt(before)) >= 0;
  }

  /**
   * Whether it is a sign inside of what may be the name of an anchor. It may also stand in any other text, where none of
   * these signs means anything.
   */
  private static boolean isOddInName(String text, int at) {
    for (int from = at - 1; from >= 0 && at - from <= MAX_NAME; from--) {
      char before = text.charAt(from);
      if (" \t\r\n,[]{}\\".indexOf(before) >= 0) return false;
      boolean isFirst = from == 0 || " \t\n,[{".indexOf(text.charAt(from - 1)) >= 0;
      if (isFirst) return before == '&' || before == '*';
    }
    return false;
  }
}
