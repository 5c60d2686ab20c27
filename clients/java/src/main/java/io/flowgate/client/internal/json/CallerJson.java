package io.flowgate.client.internal.json;

/** JSON texts that the caller writes. They are checked, and sent as they were written. */
public final class CallerJson {
  private static final String EMPTY = "{}";

  private CallerJson() {}

  /** An input; null is an empty object. Throws an {@code IllegalArgumentException} with a sentence. */
  public static String input(String json) {
    if (json == null || isNull(json)) return EMPTY;
    return checked("inputJson", json, "its keys are the first keys of the shared state");
  }

  /** Bindings; null where there are none. Throws an {@code IllegalArgumentException} with a sentence. */
  public static String bindings(String json) {
    if (json == null || json.isBlank() || isNull(json)) return null;
    return checked("bindingsJson", json, "its keys are the names of the workflow's uses");
  }

  /** What a fork is to be; null is an empty object. Throws an {@code IllegalArgumentException} with a sentence. */
  public static String fork(String json) {
    if (json == null || isNull(json)) return EMPTY;
    return checked("forkJson", json, "from, input, state, unitInput, definition, labels, sync");
  }

  private static boolean isNull(String json) {
    return json.length() < 64 && json.strip().equals("null");
  }

  private static String checked(String name, String json, String meaning) {
    try {
      JsonText.surface(json);
      return json;
    } catch (JsonFault fault) {
      throw new IllegalArgumentException(
          name + " must be one JSON object: " + meaning + ". As it is, " + fault.getMessage());
    }
  }
}
