package io.flowgate.client.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** Compiles sources and runs what came out, with the class path of the tests. */
final class JavaProgram {
  private static final long ENDS_WITHIN_S = 60;
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  private JavaProgram() {}

  /** Fails with what the compiler says, warnings too. */
  static void compile(List<Path> sources, Path output, String... options) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    try (var files = compiler.getStandardFileManager(said, null, StandardCharsets.UTF_8)) {
      List<String> all = new ArrayList<>(List.of("--release", "17", "-Xlint:all,-processing", "-proc:none", "-d", output.toString()));
      all.addAll(List.of(options));
      var task = compiler.getTask(null, files, said, all, null, files.getJavaFileObjectsFromPaths(sources));
      boolean isCompiled = task.call();
      assertThat(said.getDiagnostics()).isEmpty();
      assertThat(isCompiled).isTrue();
    }
  }

  static void compile(List<Path> sources, Path output) throws Exception {
    compile(sources, output, "-classpath", CLASS_PATH);
  }

  static void compileAsModule(List<Path> sources, Path output) throws Exception {
    compile(sources, output, "--module-path", CLASS_PATH);
  }

  /** What it prints, without what it complains of; in that folder, by the JVM that runs the tests. */
  static String run(String name, Path folder) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path printed = folder.resolve(name + ".out");
    Path complaints = folder.resolve(name + ".err");
    Process process =
        new ProcessBuilder(java.toString(), "-cp", folder + File.pathSeparator + CLASS_PATH, name)
            .directory(folder.toFile())
            .redirectError(complaints.toFile())
            .redirectOutput(printed.toFile())
            .start();
    try {
      boolean hasEnded = process.waitFor(ENDS_WITHIN_S, TimeUnit.SECONDS);
      String said = Files.readString(complaints);
      assertThat(hasEnded).as(() -> name + " does not end; it said: " + said).isTrue();
      assertThat(process.exitValue()).as(() -> name + " failed: " + said).isZero();
      return Files.readString(printed);
    } finally {
      process.destroyForcibly();
    }
  }
}
