package io.flowgate.client.internal.http;

import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Where a service is: an origin and, behind a proxy, a path in front of ours. */
public final class ServiceAddress {
  private static final int MAX_PORT = 65_535;

  /** Without a slash at its end. */
  private final String base;

  /** Throws an {@code IllegalArgumentException} that says what to write instead. */
  public ServiceAddress(String baseUrl) {
    if (baseUrl == null || baseUrl.isEmpty()) throw refusal("is no address: write http://127.0.0.1:8787");
    URI uri = parsed(baseUrl);
    String scheme = uri == null || uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!(scheme.equals("http") || scheme.equals("https")) || uri.getRawAuthority() == null) {
      throw refusal("is no address of HTTP: write it with its scheme, as in http://127.0.0.1:8787");
    }
    if (uri.getRawAuthority().contains("@")) {
      throw refusal("must not hold a user or a password: send them in the header authorization");
    }
    if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      throw refusal("must end with its path: leave out what begins with ? or #");
    }
    if (uri.getHost() == null || uri.getPort() > MAX_PORT) {
      throw refusal("names no host that Java can call: letters, digits, hyphens and dots, and a port of at most 65535");
    }
    boolean isDefaultPort = uri.getPort() == -1 || uri.getPort() == (scheme.equals("http") ? 80 : 443);
    base =
        scheme
            + "://"
            + uri.getHost().toLowerCase(Locale.ROOT)
            + (isDefaultPort ? "" : ":" + uri.getPort())
            + withoutSlashesAtItsEnd(uri.normalize().getRawPath());
  }

  /** The segments are encoded, so that an id may hold anything that an address can carry. */
  public URI of(List<String> segments, Map<String, List<String>> query) {
    StringBuilder address = new StringBuilder(base);
    for (String segment : segments) address.append('/').append(encodedSegment(segment));
    char before = '?';
    for (Map.Entry<String, List<String>> parameter : query.entrySet()) {
      for (String value : parameter.getValue()) {
        address.append(before).append(parameter.getKey()).append('=').append(encoded(value));
        before = '&';
      }
    }
    return URI.create(address.toString());
  }

  @Override
  public String toString() {
    return base;
  }

  /** Whoever sends an address resolves {@code .} and {@code ..} first, also as {@code %2e}: such a segment never arrives. */
  private static String encodedSegment(String segment) {
    if (segment.equals(".") || segment.equals("..")) {
      throw new IllegalArgumentException(
          "The id " + segment + " cannot be sent: addresses take it for a folder. Give the workflow another id");
    }
    return encoded(segment);
  }

  /** Not as forms are: there a plus is a blank, and here it is a plus. */
  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** With blanks and letters of all scripts in the path, and in the host, as browsers take them; null: it is none. */
  private static URI parsed(String baseUrl) {
    StringBuilder plain = new StringBuilder();
    for (int character : baseUrl.strip().codePoints().toArray()) {
      boolean isPlain = character > ' ' && character < 0x7F && "\"<>\\^`{|}".indexOf(character) < 0;
      if (isPlain) plain.appendCodePoint(character);
      else plain.append(encoded(Character.toString(character)));
    }
    try {
      return new URI(withPlainHost(baseUrl.strip(), plain.toString()));
    } catch (URISyntaxException | IllegalArgumentException none) {
      return null;
    }
  }

  private static String withPlainHost(String given, String plain) {
    int begin = given.indexOf("://") + 3;
    int end = given.indexOf('/', begin);
    if (begin < 3) return plain;
    String authority = end < 0 ? given.substring(begin) : given.substring(begin, end);
    if (authority.chars().allMatch(unit -> unit < 0x7F)) return plain;
    int slash = plain.indexOf('/', begin);
    return given.substring(0, begin) + IDN.toASCII(authority) + (slash < 0 ? "" : plain.substring(slash));
  }

  private static String withoutSlashesAtItsEnd(String path) {
    int end = path == null ? 0 : path.length();
    while (end > 0 && path.charAt(end - 1) == '/') end--;
    return end == 0 ? "" : path.substring(0, end);
  }

  private static IllegalArgumentException refusal(String sentence) {
    return new IllegalArgumentException("baseUrl " + sentence);
  }
}
