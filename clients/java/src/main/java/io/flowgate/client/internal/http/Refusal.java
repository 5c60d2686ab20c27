package io.flowgate.client.internal.http;

import io.flowgate.client.DocumentFault;
import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.FlowgateValidationException;
import io.flowgate.client.internal.json.JsonFault;
import io.flowgate.client.internal.json.JsonText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What came back in place of an answer, its body already read.
 *
 * @param address of the service
 * @param status of HTTP
 * @param text of the body
 * @param contentType "" for none
 * @param retryAfter may be null
 */
record Refusal(ServiceAddress address, int status, String text, String contentType, Duration retryAfter) {
  private static final Set<String> DOCUMENT_ERRORS = Set.of("YamlValidationError", "YamlLoadError");
  private static final int MAX_DETAILS = 100;
  private static final int MAX_ERROR_CHARS = 64 * 1024;
  private static final int MAX_QUOTED_CHARS = 200;
  private static final int MAX_KIND_CHARS = 100;

  /** What of a page is looked through for something to quote. */
  private static final int MAX_SEARCHED_CHARS = 10_000;

  private static final Pattern NOT_TO_QUOTE =
      Pattern.compile("<(script|style).*?</\\1>|<[^>]*>|[\\s\\p{Cntrl}]+", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** The service's own words; of anything else that answers instead, that it is not the service. */
  FlowgateApiException exception() {
    Map<String, Object> fields = fields();
    if (!(fields.get("error") instanceof String error)) return strangeAnswer("");
    List<Map<String, Object>> details = details(fields.get("details"));
    String cut = ClientWords.of(error.substring(0, Math.min(error.length(), MAX_ERROR_CHARS)));
    String type = textOr(fields.get("type"));
    String code = textOr(fields.get("code"));
    // What is near a route that there is not, is a route.
    String detail = ClientWords.isOfARoute(error) ? null : ClientWords.of(textOr(fields.get("detail")));
    if (type != null && DOCUMENT_ERRORS.contains(type) && details.stream().allMatch(Refusal::isFault)) {
      List<DocumentFault> faults = details.stream().map(Refusal::fault).toList();
      return new FlowgateValidationException(status, text, cut, type, code, faults, detail, retryAfter);
    }
    return new FlowgateApiException(status, text, cut, type, code, details, detail, retryAfter);
  }

  /** A page of a proxy, or of something that has nothing to do with us. {@code why} may say more, or be "". */
  FlowgateApiException strangeAnswer(String why) {
    String searched = text.substring(0, Math.min(text.length(), MAX_SEARCHED_CHARS));
    String quoted = NOT_TO_QUOTE.matcher(searched).replaceAll(" ").replaceAll(" +", " ").strip();
    String kind = contentType.isEmpty() ? "no content type" : contentType.substring(0, Math.min(contentType.length(), MAX_KIND_CHARS));
    String error =
        address
            + " answered "
            + status
            + " with something that is not Flowgate's ("
            + kind
            + (why.isEmpty() ? "" : "; " + why)
            + "): check baseUrl, and what stands in front of the service"
            + (quoted.isEmpty() ? "" : ". It says: " + quoted.substring(0, Math.min(quoted.length(), MAX_QUOTED_CHARS)));
    return new FlowgateApiException(status, text, error, null, null, List.of(), null, retryAfter);
  }

  private Map<String, Object> fields() {
    try {
      return JsonText.object(text);
    } catch (JsonFault none) {
      return Map.of();
    }
  }

  private static List<Map<String, Object>> details(Object given) {
    List<Map<String, Object>> details = new ArrayList<>();
    if (given instanceof List<?> list) {
      for (Object item : list) {
        if (details.size() == MAX_DETAILS) break;
        if (item instanceof Map<?, ?> map) details.add(JsonText.fields(map));
      }
    }
    return details;
  }

  private static boolean isFault(Map<String, Object> detail) {
    return detail.get("path") instanceof String
        && detail.get("message") instanceof String
        && isPlace(detail.get("line"))
        && isPlace(detail.get("column"));
  }

  private static boolean isPlace(Object place) {
    return place == null || place instanceof Integer;
  }

  private static DocumentFault fault(Map<String, Object> detail) {
    return new DocumentFault(
        (String) detail.get("path"),
        (Integer) detail.get("line"),
        (Integer) detail.get("column"),
        (String) detail.get("message"));
  }

  private static String textOr(Object value) {
    return value instanceof String text ? text : null;
  }
}
