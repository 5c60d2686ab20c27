package io.flowgate.client.internal.calls;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parameters of an address, in order; what is null is left out. */
final class Query {
  private final Map<String, List<String>> parameters = new LinkedHashMap<>();

  Query with(String name, Object value) {
    if (value != null) parameters.put(name, List.of(value.toString()));
    return this;
  }

  Map<String, List<String>> parameters() {
    return parameters;
  }
}
