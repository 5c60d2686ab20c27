package io.flowgate.client.internal.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.flowgate.client.DocumentFault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a text holds: an answer, in bounded time. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileTextsTest {
  private static final int MANY = 100_000;

  private static DocumentReading read(String text) {
    return DocumentReader.read(text, List.of("flowgate"));
  }

  private static String withConfig(String config) {
    return "apiVersion: flowgate/v1\nkind: Workflow\nmetadata:\n  id: x\nspec:\n  units:\n    - id: a\n"
        + "      uses: acme.a\n      config: " + config + "\n  flow: a\n";
  }

  private static String refusalOf(String text) {
    DocumentReading reading = read(text);
    assertThat(reading.isOk()).isFalse();
    assertThat(reading.faults()).hasSizeBetween(1, 100);
    return reading.faults().get(0).message();
  }

  static Stream<Arguments> hostileTexts() {
    Map<String, String> texts = new TreeMap<>();
    texts.put("brackets", "[".repeat(MANY));
    texts.put("closed brackets", "[".repeat(10_000) + "]".repeat(10_000));
    texts.put("braces", "{a: ".repeat(MANY));
    texts.put("entries within entries", "- ".repeat(MANY));
    texts.put("keys in question", "? ".repeat(MANY));
    texts.put("steps of a stair", stair(1_500));
    texts.put("a megabyte of one letter", "a".repeat(1_000_000));
    texts.put("a megabyte of empty lines", "\n".repeat(1_000_000));
    texts.put("a megabyte of colons", ": ".repeat(500_000));
    texts.put("a megabyte of commas in a list", "[" + ",".repeat(1_000_000));
    texts.put("a megabyte of entries", "[" + "a,".repeat(500_000) + "]");
    texts.put("a megabyte of quotes", "\"".repeat(1_000_000));
    texts.put("a megabyte of an open quote", "a: \"" + "b ".repeat(500_000));
    texts.put("a megabyte of comments", "#\n".repeat(500_000));
    texts.put("a megabyte of tabs", "a:\n" + "\t".repeat(1_000_000));
    texts.put("a megabyte of anchors", "&a ".repeat(300_000));
    texts.put("a megabyte of tags", "- !a b\n".repeat(150_000));
    texts.put("a megabyte of aliases", "- *a\n".repeat(200_000));
    texts.put("a megabyte of directives", "%A b\n".repeat(200_000));
    texts.put("a megabyte of documents", "---\n".repeat(250_000));
    texts.put("a megabyte of NUL", "\0".repeat(1_000_000));
    texts.put("a megabyte of half characters", "\uD83D".repeat(300_000));
    texts.put("a megabyte of line separators", "\u2028".repeat(300_000));
    texts.put("a megabyte of stars", "*".repeat(1_000_000));
    texts.put("a megabyte of a name of an anchor", "a: &" + "b.".repeat(500_000));
    texts.put("a key of a megabyte", "a".repeat(1_000_000) + ": b");
    texts.put("100,000 keys", keys(MANY, 0));
    texts.put("100,000 times one key", "a: 1\n".repeat(MANY));
    texts.put("unknown fields that hold each other", withConfig("{ a: b }").replace("id: x", "\n    q: {".repeat(900)));
    texts.put("a number of a megabyte", "a: " + "9".repeat(1_000_000));
    texts.put("a float of a megabyte", "a: 0." + "9".repeat(1_000_000) + "e9999");
    texts.put("every private character", privateCharacters() + "\0\uD800\u0085");
    return texts.entrySet().stream().map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
  }

  private static String stair(int steps) {
    StringBuilder text = new StringBuilder();
    for (int step = 0; step < steps; step++) text.append(" ".repeat(step)).append("a:\n");
    return text.toString();
  }

  private static String keys(int count, int indent) {
    StringBuilder text = new StringBuilder();
    for (int key = 0; key < count; key++) text.append(" ".repeat(indent)).append('k').append(key).append(": 1\n");
    return text.toString();
  }

  private static String privateCharacters() {
    StringBuilder text = new StringBuilder();
    for (char unit = '\uE000'; unit <= '\uF8FF'; unit++) text.append(unit);
    return text.toString();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("hostileTexts")
  void isRefusedInBoundedTime(String name, String text) {
    DocumentReading reading = read(text);
    assertThat(reading.isOk()).isFalse();
    assertThat(reading.faults()).hasSizeBetween(1, 100);
    assertThat(reading.faults()).allSatisfy(fault -> assertThat(fault.message()).hasSizeLessThan(1_000));
  }

  @Test
  void aTextOfMoreThanTwoMebibytesIsRefusedUnread() {
    assertThat(refusalOf("é".repeat(1024 * 1024 + 1))).isEqualTo("the text has 2097154 bytes: a workflow may have 2097152");
  }

  @Test
  void aBillionLaughsAreFew() {
    StringBuilder text = new StringBuilder("{ l0: &l0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]");
    for (int level = 1; level < 10; level++) {
      text.append(", l").append(level).append(": &l").append(level).append(" [");
      for (int copy = 0; copy < 10; copy++) text.append(copy == 0 ? "" : ", ").append("*l").append(level - 1);
      text.append(']');
    }
    assertThat(refusalOf(withConfig(text + " }"))).contains("one alias too many");
  }

  @Test
  void fewAliasesOfMuchAreRefusedToo() {
    String many = "{ a: &a [" + "1, ".repeat(2_000) + "1], b: [" + "*a, ".repeat(60) + "*a] }";
    assertThat(refusalOf(withConfig(many))).contains("takes more from aliases");
  }

  @Test
  void depthIsRefusedWithAWord() {
    assertThat(refusalOf(withConfig("[".repeat(10_000) + "]".repeat(10_000)))).isEqualTo(YamlBounds.TOO_DEEP);
  }

  @Test
  void depthThatMayBeIsRead() {
    assertThat(read(withConfig("{ a: " + "[".repeat(990) + "]".repeat(990) + " }")).faults()).isEmpty();
  }

  @Test
  void flowsMayNestAsDeepAsTheTextMay() {
    String flow = "{ type: loop, do: ".repeat(900) + "a" + " }".repeat(900);
    assertThat(read(withConfig("{}").replace("flow: a", "flow: " + flow)).faults()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e400", "-1e400", ".inf", "-.INF", ".nan", "9007199254740992", "-9007199254740992",
      "0x20000000000000", "0o400000000000000000"})
  void numbersThatJsonCannotHoldAreRefused(String number) {
    assertThat(refusalOf(withConfig("{ n: " + number + " }"))).startsWith("spec.units[0].config.n ").contains("quotes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9007199254740991", "-9007199254740991", "1e308", "9007199254740993.0",
      "-0", "0x1F", "0o17", "1.", ".5", "1e-400"})
  void othersAreTaken(String number) {
    assertThat(read(withConfig("{ n: " + number + " }")).faults()).isEmpty();
  }

  @Test
  void oddCharactersAreTextAsAtTheService() {
    String text = withConfig("{ a: 'x\0\u0001\u0085\u2028\uFFFE\uFEFFy', \"k\\u0000\": 1, b: \uE000 }");
    assertThat(read(text).faults()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[:a, :b]", "{ a: &db.first 1, b: *db.first }", "{ a: &x/y*z 1, b: *x/y*z }", "[{a: :b}]"})
  void whatTheParserAloneWouldRefuseIsTakenAsAtTheService(String config) {
    assertThat(read(withConfig("{ of: " + config + " }")).faults()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{ a: 1 }#", "{ a: \"b\"#c\n }", "{#a\n }", "[a,\nb]", "{ &a: 1 }", "!!int x", "\"a\nb\""})
  void whatTheParserAloneWouldTakeIsRefusedAsAtTheService(String config) {
    assertThat(read(withConfig(config)).stage()).isEqualTo(DocumentReading.Stage.YAML);
  }

  @Test
  void halfOfACharacterIsRefusedWhereItStands() {
    DocumentFault fault = read(withConfig("{ 😀: 1, a: \"\uD83D\" }")).faults().get(0);
    assertThat(fault.path()).isEqualTo("/spec/units/0/config/a");
    assertThat(fault.line()).isEqualTo(9);
    assertThat(fault.column()).isEqualTo(27);
  }

  @Test
  void aHundredThousandUnknownFieldsAreAHundredFaults() {
    assertThat(read(withConfig("{}") + keys(MANY, 0)).faults()).hasSize(100);
  }

  @Test
  void twentyThousandUnitsAreRead() {
    StringBuilder units = new StringBuilder();
    for (int unit = 0; unit < 20_000; unit++) units.append("    - { id: u").append(unit).append(", uses: acme.a }\n");
    assertThat(read(withConfig("{}").replace("  flow", units + "  flow")).faults())
        .extracting(DocumentFault::message)
        .containsExactly("spec.units must have at most 20000 entries");
  }

  @Test
  void sixteenThreadsReadTheSame() throws Exception {
    String text = withConfig("{}").replace("uses", "use");
    List<Thread> threads = new ArrayList<>();
    List<DocumentReading> readings = Collections.synchronizedList(new ArrayList<>());
    for (int index = 0; index < 16; index++) {
      threads.add(new Thread(() -> {
        for (int round = 0; round < 50; round++) readings.add(read(text));
      }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) thread.join();
    assertThat(readings).hasSize(800);
    assertThat(readings.stream().distinct()).hasSize(1);
    assertThat(readings.get(0).faults()).extracting(DocumentFault::path)
        .containsExactly("/spec/units/0/uses", "/spec/units/0/use");
  }
}
