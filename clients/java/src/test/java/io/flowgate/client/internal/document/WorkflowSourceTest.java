package io.flowgate.client.internal.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class WorkflowSourceTest {
  @TempDir Path folder;

  @Test
  void thePathOfAFileGivesItsText() throws Exception {
    Path file = Files.writeString(folder.resolve("größe 1.yaml"), "\uFEFFkind: Workflow\n");
    WorkflowSource source = WorkflowSource.of(file.toString());
    assertThat(source).isEqualTo(new WorkflowSource("\uFEFFkind: Workflow\n", null, null));
    assertThat(source.faults()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "kind: Workflow", "a\nb.yaml", "a\0.yaml", "   ", "{}", "💥"})
  void anythingElseIsTheTextItself(String text) {
    assertThat(WorkflowSource.of(text)).isEqualTo(new WorkflowSource(text, null, null));
  }

  @Test
  void aVeryLongTextIsNeverTakenForAPath() {
    String text = "a/".repeat(2_049);
    assertThat(WorkflowSource.of(text)).isEqualTo(new WorkflowSource(text, null, null));
  }

  @Test
  void aNameThatLooksLikeAPathAndIsNoneGetsAHint() {
    WorkflowSource source = WorkflowSource.of("flows/missing.yaml");
    assertThat(source.text()).isEqualTo("flows/missing.yaml");
    assertThat(source.hint())
        .isEqualTo("It was taken as the text of a workflow: a file flows/missing.yaml cannot be read (there is none).");
    assertThat(WorkflowSource.of("missing.YML").hint()).contains("there is none");
    assertThat(WorkflowSource.of("missing").hint()).isNull();
  }

  @Test
  void aFolderIsNoFile() {
    WorkflowSource source = WorkflowSource.of(folder.toString());
    assertThat(source.text()).isEqualTo(folder.toString());
    assertThat(source.hint()).endsWith(folder + " is no file.");
  }

  @Test
  void aFileThatIsTooLargeIsRefusedUnread() throws Exception {
    Path file = folder.resolve("large.yaml");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(5_000_000_000L);
    }
    assertThat(WorkflowSource.of(file.toString()).faults())
        .extracting(fault -> fault.path() + fault.line() + fault.column() + fault.message())
        .containsExactly("11the text has 5000000000 bytes: a workflow may have 2097152");
  }

  @Test
  void aFileOfTheLargestSizeIsRead() throws Exception {
    Path file = Files.write(folder.resolve("largest.yaml"), " ".repeat(2 * 1024 * 1024).getBytes());
    assertThat(WorkflowSource.of(file.toString()).text()).hasSize(2 * 1024 * 1024);
  }

  @Test
  void aFileThatIsNotUtf8IsRefused() throws Exception {
    Path file = Files.write(folder.resolve("latin.yaml"), new byte[] {'i', 'd', ':', ' ', (byte) 0xfc});
    assertThat(WorkflowSource.of(file.toString()).faults().get(0).message())
        .isEqualTo("the file is not UTF-8: save it in that encoding");
  }

  @Test
  void aPipeIsNeverOpened() throws Exception {
    Path pipe = folder.resolve("pipe.yaml");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")), "needs mkfifo");
    Process made = new ProcessBuilder("/usr/bin/mkfifo", pipe.toString()).start();
    assertThat(made.waitFor(5, TimeUnit.SECONDS)).isTrue();
    assertThat(WorkflowSource.of(pipe.toString()).hint()).endsWith("pipe.yaml is no file.");
  }

  @Test
  void aDeviceIsNeverRead() {
    assumeTrue(Files.exists(Path.of("/dev/zero")), "needs /dev/zero");
    assertThat(WorkflowSource.of("/dev/zero").text()).isEqualTo("/dev/zero");
  }

  @Test
  void aRefusalOfATextThatWasMeantAsAPathSaysSo() {
    WorkflowSource source = WorkflowSource.of("missing.yaml");
    DocumentReading reading = DocumentReader.read(source.text(), List.of("flowgate"));
    assertThat(FaultLines.of(reading.faults(), source.hint()))
        .containsExactly(
            "at 1:1: the document must be a map, not `missing.yaml`: this is the name of a file, send the text of it."
                + " It was taken as the text of a workflow: a file missing.yaml cannot be"
                + " read (there is none).");
  }
}
