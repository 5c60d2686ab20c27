package io.flowgate.client.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fenced Java of a page. */
final class PageSnippets {
  private static final Pattern FENCED = fenced("java");
  private static final Pattern IMPORT = Pattern.compile("^import .*;\n", Pattern.MULTILINE);

  private PageSnippets() {}

  static List<String> of(Path page) throws IOException {
    return blocksOf(FENCED, Files.readString(page));
  }

  /** The first document of the page. */
  static String documentOf(Path page) throws IOException {
    return blocksOf(fenced("yaml"), Files.readString(page)).get(0);
  }

  private static Pattern fenced(String language) {
    return Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  }

  private static List<String> blocksOf(Pattern fenced, String text) {
    List<String> found = new ArrayList<>();
    for (Matcher matcher = fenced.matcher(text); matcher.find(); ) found.add(matcher.group(1));
    return List.copyOf(found);
  }

  static boolean isModule(String snippet) {
    return snippet.startsWith("module ");
  }

  /**
   * A program of that name. A snippet that makes no client of its own has one called {@code client}; imports that the page
   * has shown once are taken for granted.
   */
  static String program(String name, String snippet, String address) {
    String imports = String.join("", IMPORT.matcher(snippet).results().map(each -> each.group()).toList());
    String statements = IMPORT.matcher(snippet).replaceAll("");
    boolean makesOne = Pattern.compile("\\bclient = ").matcher(statements).find();
    String client = makesOne ? "" : "FlowgateClient client = new FlowgateClient(\"" + address + "\");\n";
    return """
        import io.flowgate.client.*;
        import java.time.*;
        import java.util.*;
        %spublic final class %s {
          public static void main(String[] arguments) throws Exception {
            %s%s
          }
        }
        """
        .formatted(imports, name, client, statements);
  }
}
