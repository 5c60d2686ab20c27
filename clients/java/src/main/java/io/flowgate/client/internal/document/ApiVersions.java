package io.flowgate.client.internal.document;

import com.fasterxml.jackson.databind.JsonNode;
import io.flowgate.client.DocumentFault;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The group of {@code apiVersion} is a setting, which the published schema cannot know. Case is no matter. */
final class ApiVersions {
  static final String POINTER = "/apiVersion";

  private static final Pattern GROUP = Pattern.compile("([^/]+)/v1");
  private static final String TO_TAKE_OTHERS = "set FLOWGATE_API_GROUP to take others, and apiGroups of the client";

  private ApiVersions() {}

  /** Null where the group is taken; also where there is none or no text, which the schema says better. */
  static DocumentFault faultOf(JsonNode document, List<String> apiGroups, PositionIndex positions) {
    JsonNode version = document.path("apiVersion");
    if (!version.isTextual()) return null;
    List<String> accepted =
        apiGroups.stream().map(group -> group.toLowerCase(Locale.ROOT) + "/v1").distinct().toList();
    if (accepted.contains(version.textValue().toLowerCase(Locale.ROOT))) return null;
    Place place = positions.at(POINTER);
    return new DocumentFault(
        POINTER, place.line(), place.column(), message(version.textValue(), accepted));
  }

  private static String message(String version, List<String> accepted) {
    Matcher group = GROUP.matcher(version);
    if (!group.matches()) {
      return "apiVersion must be `" + String.join("` or `", accepted) + "`, not `"
          + ValueWords.shortened(version) + "`";
    }
    return "apiVersion names the group " + ValueWords.shortened(group.group(1)) + ": this service takes "
        + String.join(" and ", accepted) + "; " + TO_TAKE_OTHERS;
  }
}
