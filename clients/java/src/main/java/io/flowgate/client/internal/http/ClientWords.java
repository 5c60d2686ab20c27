package io.flowgate.client.internal.http;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a service says, in which it names its routes and headers: here they are methods and options. A test of the service holds
 * the table together with its own.
 */
public final class ClientWords {
  /** What a line has before a word of the service, as a pattern; elsewhere the same words are somebody's own. */
  private record Word(Pattern ofHttp, String ofClient) {
    Word(String before, String ofHttp, String ofClient) {
      this(
          Pattern.compile("^(" + before + ")" + Pattern.quote(ofHttp), Pattern.MULTILINE),
          Matcher.quoteReplacement(ofClient));
    }
  }

  private static final List<Word> WORDS =
      List.of(
          new Word(
              "This needs a valid key or token: ",
              "send Authorization: Bearer <key or token>",
              "give the client a token"),
          new Word(
              "Nothing is granted in the namespace .*: ",
              "GET /whoami lists the namespaces that are",
              "whoami() lists the namespaces that are"),
          new Word(
              "There is no key .*: ",
              "GET /keys lists those that there are",
              "listKeys() lists those that there are"),
          new Word(
              "",
              "GET /runs lists the runs that are kept, and GET /runs?id=… those whose id begins so",
              "listRuns() lists the runs that are kept, and with idPrefix those whose id begins so"),
          new Word("The workflow .*: ", "GET /workflows/:id/versions names those", "listVersions() names those"),
          new Word(
              "No compensation of the run .*: ",
              "read the run (view=full) to see how it stands",
              "its compensation in listRuns() says how it stands"),
          new Word("", "The Idempotency-Key", "The idempotencyKey"),
          new Word("The \\S+ .* stands for another request: ", "send a new key", "give a new one"),
          new Word(
              "The first line is no header of an export .*: ",
              "send what GET …/export answered",
              "give what exportRun() gave"));

  /** The routes that there are only where somebody is asked. */
  private static final Pattern NOBODY_IS_ASKED =
      Pattern.compile("^Nothing is at [A-Z]+ /(?:keys|owners|audit)\\b.*", Pattern.DOTALL);

  private ClientWords() {}

  /** Whether a service that asks nobody who they are says that it has no such route. */
  static boolean isOfARoute(String error) {
    return NOBODY_IS_ASKED.matcher(error).matches();
  }

  /** Null for null. */
  public static String of(String text) {
    if (text == null) return null;
    if (isOfARoute(text))
      return "This server asks nobody who they are, so there is nothing of this: start it with FLOWGATE_AUTH=keys";
    String said = text;
    for (Word word : WORDS) said = word.ofHttp.matcher(said).replaceAll("$1" + word.ofClient);
    return said;
  }
}
