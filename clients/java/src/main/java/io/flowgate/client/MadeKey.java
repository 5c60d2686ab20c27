package io.flowgate.client;

/**
 * A key that was made, or has another secret.
 *
 * @param key without its secret
 * @param secret what is sent as the token; it is shown this once, and stands in no text of this record
 */
public record MadeKey(ApiKey key, String secret) {
  @Override
  public String toString() {
    return "MadeKey[key=" + key + "]";
  }
}
