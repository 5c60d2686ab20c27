package io.flowgate.client.internal.calls;

import io.flowgate.client.HttpBinding;
import io.flowgate.client.internal.json.JsonBody;
import java.util.Map;
import java.util.Objects;

/** Bindings as the service takes them. */
final class Bindings {
  private Bindings() {}

  /** Null: there are none. */
  static String json(Map<String, HttpBinding> bindings) {
    if (bindings.isEmpty()) return null;
    JsonBody all = new JsonBody();
    bindings.forEach(
        (uses, binding) -> {
          Objects.requireNonNull(uses, "bindings: a name is null");
          Objects.requireNonNull(binding, () -> "bindings: " + uses + " is null");
          all.json(uses, json(binding));
        });
    return all.json();
  }

  private static String json(HttpBinding binding) {
    return new JsonBody()
        .text("type", "http")
        .text("endpoint", binding.endpoint())
        .json("headers", binding.headers().isEmpty() ? null : JsonBody.ofTexts(binding.headers()))
        .number("timeoutMs", binding.timeout() == null ? null : (Long) binding.timeout().toMillis())
        .json();
  }
}
