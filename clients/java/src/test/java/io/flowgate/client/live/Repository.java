package io.flowgate.client.live;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout that this client is built in: what it is tested against lies there. */
public final class Repository {
  private Repository() {}

  /** The folder of the client's {@code pom.xml}. */
  public static Path client() {
    return Path.of(System.getProperty("basedir", "")).toAbsolutePath().normalize();
  }

  public static Path root() {
    return client().resolve("../..").normalize();
  }

  /** A file that a command makes. */
  static Path made(String name, String command) {
    Path file = root().resolve(name);
    if (!Files.exists(file)) {
      throw new IllegalStateException(file + " is missing: run `" + command + "` in " + root());
    }
    return file;
  }
}
