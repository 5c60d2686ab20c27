package io.flowgate.client.internal.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents that end somewhere: what an editor sends while somebody writes. */
class TruncatedDocumentsTest {
  private static final int COUNT = 2_000;
  /** Where two parsers of YAML may differ: half of a line end, which one of them takes for a space. */
  private static final int MAX_DIFFERENT = COUNT / 200;

  private static List<String> texts() throws Exception {
    List<Fixtures.Fixture> valid = Fixtures.valid();
    Random random = new Random(20_261_122);
    List<String> texts = new ArrayList<>();
    while (texts.size() < COUNT) {
      String text = valid.get(random.nextInt(valid.size())).text();
      texts.add(text.substring(0, random.nextInt(text.length())));
    }
    return texts;
  }

  @Test
  void areOkOrHaveFaults() throws Exception {
    for (String text : texts()) {
      DocumentReading reading = DocumentReader.read(text, List.of("flowgate"));
      assertThat(reading.isOk()).isEqualTo(reading.faults().isEmpty()).isEqualTo(reading.workflowId() != null);
    }
  }

  @Test
  void areReadAsTheServiceReadsThem(@TempDir Path folder) throws Exception {
    Optional<ServiceReader> service = ServiceReader.find();
    assumeTrue(service.isPresent(), "needs the service: run `npm ci` and `npm run build` in the repository");
    List<String> texts = texts();
    List<JsonNode> expected = service.orElseThrow().read(texts, folder);
    List<String> different = new ArrayList<>();
    for (int index = 0; index < texts.size(); index++) {
      String wanted = summary(expected.get(index));
      String found = summary(DocumentReader.read(texts.get(index), List.of("flowgate")), wanted);
      if (wanted.equals(found)) continue;
      assertThat(found.equals("ok")).as("verdict on %s", texts.get(index)).isEqualTo(wanted.equals("ok"));
      different.add(wanted + " is read as " + found + " in\n" + texts.get(index));
    }
    assertThat(different).hasSizeLessThanOrEqualTo(MAX_DIFFERENT);
  }

  /** The stage and the positions; of a fault of syntax the stage alone, for its line has some room. */
  private static String summary(JsonNode reading) {
    if (reading.path("ok").asBoolean()) return "ok";
    Set<String> places = new TreeSet<>();
    for (JsonNode fault : reading.get("faults")) {
      places.add(fault.get("path").asText() + " " + fault.get("line") + ":" + fault.get("column"));
    }
    boolean isSyntax = reading.get("stage").asText().equals("yaml") && places.iterator().next().startsWith(" ");
    return reading.get("stage").asText() + (isSyntax ? "" : places);
  }

  private static String summary(DocumentReading reading, String wanted) {
    if (reading.isOk()) return "ok";
    String stage = reading.stage().name().toLowerCase(Locale.ROOT);
    if (wanted.equals(stage)) return stage;
    Set<String> places = new TreeSet<>();
    reading.faults().forEach(fault -> places.add(fault.path() + " " + fault.line() + ":" + fault.column()));
    return stage + places;
  }
}
