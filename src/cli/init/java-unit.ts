import type { UnitTemplate } from './project-files.js';

const UNIT = `// The unit \`greet\` of workflows/hello.yaml: a program that answers POST at PORT. \`flowgate dev\` starts it, and again after each save.
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class Greet { // A server of the JDK, and no library.
  /** The field \`name\` of what \`with\` of the unit gives. A unit with more fields takes a library for JSON. */
  private static final Pattern NAME = Pattern.compile("\\"name\\"\\\\s*:\\\\s*(\\"(?:[^\\"\\\\\\\\]|\\\\\\\\.)*\\")");

  /** Both texts as JSON writes them, between quotes. */
  static String greet(String name) {
    return "\\"Hello, " + name.substring(1, name.length() - 1) + "!\\"";
  }

  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "9000"));
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/", Greet::answer);
    server.start();
  }

  private static void answer(HttpExchange call) throws IOException {
    String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Matcher name = NAME.matcher(body);
    boolean isNamed = name.find();
    String answer = isNamed ? "{\\"content\\": " + greet(name.group(1)) + "}" : "{\\"error\\": \\"there is no name\\"}";
    byte[] sent = answer.getBytes(StandardCharsets.UTF_8);
    call.getResponseHeaders().set("content-type", "application/json");
    call.sendResponseHeaders(isNamed ? 200 : 400, sent.length);
    call.getResponseBody().write(sent);
    call.close();
  }
}
`;

const TEST = `final class GreetTest { // A program, and no library.
  public static void main(String[] arguments) {
    String greeting = Greet.greet("\\"Ada\\"");
    if (!greeting.equals("\\"Hello, Ada!\\"")) throw new AssertionError(greeting);
    System.out.println("greets by name");
  }
}
`;

export const JAVA_UNIT: UnitTemplate = {
  file: 'greet.java',
  files: { 'units/greet.java': UNIT, 'units/GreetTest.java': TEST },
  testCommand: 'javac -d .flowgate/classes units/*.java && java -cp .flowgate/classes GreetTest',
  image: 'eclipse-temurin:21',
  command: ['java', 'units/greet.java'],
};
