package io.flowgate.client.live;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A service of the checkout, in a process and a folder of its own, for all tests of a class:
 *
 * <pre>{@code @RegisterExtension static final LiveService SERVICE = LiveService.inMemory();}</pre>
 */
public final class LiveService implements BeforeAllCallback, AfterAllCallback {
  private static final Duration LISTENS_WITHIN = Duration.ofSeconds(30);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(10);
  private static final Pattern ADDRESS = Pattern.compile("listens on (http://[^\\s\"]+)");

  /** Its input is a pipe of ours, which ends with us, however we end; then it ends, too. */
  private static final String END_WITH_THE_TESTS =
      "data:text/javascript,process.stdin.on('end',()=>process.kill(process.pid,'SIGKILL')).resume()";

  private final Map<String, String> environment;
  private Path folder;
  private Process process;
  private String url;

  private LiveService(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /** Its runs are in memory. */
  public static LiveService inMemory() {
    return inMemory(Map.of());
  }

  public static LiveService inMemory(Map<String, String> settings) {
    Map<String, String> environment = new HashMap<>(settings);
    environment.put("FLOWGATE_STORE", "memory");
    return new LiveService(environment);
  }

  /** It asks who is asking, by keys; the first one is made with what the text says. */
  public static LiveService withKeys(String bootstrap) {
    return inMemory(Map.of("FLOWGATE_AUTH", "keys", "FLOWGATE_BOOTSTRAP_KEY_SHA256", sha256(bootstrap)));
  }

  /** Runs and workflows outlive its process. */
  public static LiveService durable() {
    return new LiveService(Map.of("FLOWGATE_STORE", "sqlite", "FLOWGATE_REGISTRY", "durable"));
  }

  /** {@code http://127.0.0.1:<port>}; the same after {@link #startAgain()}. */
  public String url() {
    return url;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    folder = Files.createTempDirectory("flowgate-java-");
    start("0");
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    kill();
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }

  /** As a machine that loses its power. */
  public void kill() throws InterruptedException {
    if (process == null) return;
    process.destroyForcibly();
    if (!process.waitFor(ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("The service, process " + process.pid() + ", does not end.");
    }
    process = null;
  }

  /** At the address that it had. */
  public void startAgain() throws Exception {
    start(String.valueOf(URI.create(url).getPort()));
  }

  private void start(String port) throws Exception {
    Path node = Repository.made("node_modules/.bin/node", "npm ci");
    Path main = Repository.made("dist/main.js", "npm run build");
    ProcessBuilder builder =
        new ProcessBuilder(List.of(node.toString(), "--import", END_WITH_THE_TESTS, main.toString()))
            .directory(folder.toFile())
            .redirectErrorStream(true);
    Map<String, String> given = builder.environment();
    given.keySet().removeIf(name -> name.startsWith("FLOWGATE_") || name.startsWith("NODE_") || name.equals("HOST"));
    given.putAll(environment);
    given.put("FLOWGATE_DATA_DIR", folder.resolve("data").toString());
    given.put("PORT", port);
    process = builder.start();
    try {
      url = listening(process).get(LISTENS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      isHealthy();
    } catch (Exception failure) {
      kill();
      throw failure;
    }
  }

  /** Reads all that it says, lest it block; what it said before it listened is for the case that it ends. */
  private static CompletableFuture<String> listening(Process process) {
    CompletableFuture<String> address = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              StringBuilder said = new StringBuilder();
              try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  if (address.isDone()) continue;
                  said.append(line).append('\n');
                  Matcher found = ADDRESS.matcher(line);
                  if (found.find()) address.complete(found.group(1));
                }
              } catch (IOException ended) {
                said.append(ended.getMessage());
              }
              address.completeExceptionally(new IllegalStateException("The service ended:\n" + said));
            },
            "live-service-output");
    reader.setDaemon(true);
    reader.start();
    return address;
  }

  private void isHealthy() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/health")).timeout(LISTENS_WITHIN).build();
    int status = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode();
    if (status != 200) throw new IllegalStateException("GET " + url + "/health answers with " + status);
  }

  private static String sha256(String text) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
