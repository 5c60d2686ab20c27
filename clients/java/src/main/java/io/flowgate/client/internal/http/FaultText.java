package io.flowgate.client.internal.http;

import io.flowgate.client.internal.json.JsonValues;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a refusal says, in whole. */
public final class FaultText {
  /** The service names so many faults in {@code error}; the others stand in {@code details} alone. */
  private static final int NAMED_IN_ERROR = 20;

  private static final Pattern MORE = Pattern.compile("\\nand \\d+ more in (?:details|faults\\(\\))$");
  private static final Pattern LINE_BREAKS = Pattern.compile("\\s*[\\n\\r\\u2028\\u2029]\\s*");
  private static final int MAX_SHOWN = 300;

  private FaultText() {}

  /** What the service says, with the faults that it left to {@code details} as further lines. */
  public static String everyFault(String error, List<Map<String, Object>> details) {
    boolean isMore = MORE.matcher(error).find();
    Stream<Map<String, Object>> untold =
        isMore
            ? details.stream().skip(NAMED_IN_ERROR)
            : details.stream().filter(detail -> details.size() > 1 && !(detail.get("message") instanceof String));
    String first = isMore ? MORE.matcher(error).replaceFirst("") : error;
    return Stream.concat(Stream.of(first), untold.map(FaultText::line)).collect(Collectors.joining("\n"));
  }

  private static String line(Map<String, Object> detail) {
    if (!(detail.get("message") instanceof String message)) return JsonValues.shown(detail, MAX_SHOWN);
    String text = LINE_BREAKS.matcher(message).replaceAll(" ");
    return detail.get("line") instanceof Number line && detail.get("column") instanceof Number column
        ? "at " + line + ":" + column + ": " + text
        : text;
  }
}
