package io.flowgate.client.internal.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads {@code Retry-After}: seconds, or a date. */
final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("[0-9]+");

  /** Eleven days or eleven thousand years: nobody waits for either. */
  private static final int MAX_DIGITS = 9;

  private RetryAfter() {}

  /** Null: it asks for nothing. */
  static Duration read(Optional<String> header, InstantSource clock) {
    String text = header.map(String::strip).orElse("");
    if (SECONDS.matcher(text).matches()) {
      return Duration.ofSeconds(text.length() > MAX_DIGITS ? 999_999_999 : Long.parseLong(text));
    }
    try {
      Instant then = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Duration until = Duration.between(clock.instant(), then);
      return until.isNegative() ? Duration.ZERO : until;
    } catch (DateTimeException none) {
      return null;
    }
  }
}
