package io.flowgate.client.internal.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The reader of the service itself, run by Node over many texts; there where the repository is installed and built. */
final class ServiceReader {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SCRIPT =
      """
      import { createInterface } from 'node:readline';
      const { readDocument } = await import(process.argv[2]);
      for await (const line of createInterface({ input: process.stdin })) {
        const reading = readDocument(JSON.parse(line), { apiGroups: ['flowgate'] });
        console.log(JSON.stringify(reading.ok ? { ok: true } : { stage: reading.stage, faults: reading.faults }));
      }
      """;

  private final Path node;
  private final Path reader;

  private ServiceReader(Path node, Path reader) {
    this.node = node;
    this.reader = reader;
  }

  static Optional<ServiceReader> find() {
    Path root = Fixtures.repository();
    Path node = root.resolve("node_modules/.bin/node");
    Path reader = root.resolve("dist/engine/language/reader/read-document.js");
    return Files.isExecutable(node) && Files.isReadable(reader)
        ? Optional.of(new ServiceReader(node, reader))
        : Optional.empty();
  }

  /** One answer for each text. Ends what it starts. */
  List<JsonNode> read(List<String> texts, Path folder) throws IOException, InterruptedException {
    Path input = folder.resolve("texts.jsonl");
    Path output = folder.resolve("readings.jsonl");
    Path script = Files.writeString(folder.resolve("read.mjs"), SCRIPT);
    StringBuilder lines = new StringBuilder();
    for (String text : texts) lines.append(jsonText(text)).append('\n');
    Files.writeString(input, lines, StandardCharsets.US_ASCII);
    Process process =
        new ProcessBuilder(node.toString(), script.toString(), reader.toUri().toString())
            .redirectInput(input.toFile())
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      if (!process.waitFor(120, TimeUnit.SECONDS)) throw new IOException("the reader of the service takes too long");
    } finally {
      process.destroyForcibly();
    }
    List<JsonNode> readings = new ArrayList<>();
    for (String line : Files.readAllLines(output)) readings.add(JSON.readTree(line));
    if (readings.size() != texts.size()) throw new IOException("the reader of the service ended early");
    return readings;
  }

  /** In ASCII, so that half characters arrive as they are. */
  private static String jsonText(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (char unit : text.toCharArray()) {
      if (unit >= ' ' && unit < 0x7f && unit != '"' && unit != '\\') json.append(unit);
      else json.append(String.format("\\u%04x", (int) unit));
    }
    return json.append('"').toString();
  }
}
