package io.flowgate.client.internal.document;

import io.flowgate.client.DocumentFault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a caller gave for a workflow: the path of a readable file, else the text itself. A folder, a device or a pipe is
 * never opened, so nothing waits for a writer.
 *
 * @param text what there is to read; null when {@code refusal} is there
 * @param hint what to add to a refusal of the text, which may have been meant as a path; null for none
 * @param refusal why the file cannot be a workflow; null when there is a text
 */
public record WorkflowSource(String text, String hint, DocumentFault refusal) {
  /** Longer names are no paths anywhere. */
  private static final int MAX_PATH_CHARS = 4_096;

  private static final int MAX_HINTED_CHARS = 256;
  private static final int CHUNK_BYTES = 65_536;
  private static final Pattern LIKE_A_PATH = Pattern.compile("[/\\\\]|\\.(?i:ya?ml|json)$");

  /**
   * Reads the file that the source names, if it names one. Blocks for as long as the file system does.
   *
   * @param yamlOrPath never null
   */
  public static WorkflowSource of(String yamlOrPath) {
    boolean isText = yamlOrPath.length() > MAX_PATH_CHARS || yamlOrPath.isEmpty() || hasLineOrNul(yamlOrPath);
    if (isText) return text(yamlOrPath, null);
    try {
      Path path = Path.of(yamlOrPath);
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      if (!found.isRegularFile()) return text(yamlOrPath, yamlOrPath + " is no file");
      if (found.size() > YamlBounds.MAX_BYTES) return refused(YamlBounds.tooLarge(found.size()));
      byte[] bytes = readUpTo(path, YamlBounds.MAX_BYTES + 1);
      if (bytes.length > YamlBounds.MAX_BYTES) return refused(YamlBounds.tooLarge(bytes.length));
      return new WorkflowSource(decoded(bytes), null, null);
    } catch (CharacterCodingException broken) {
      return refused("the file is not UTF-8: save it in that encoding");
    } catch (IOException | SecurityException unreadable) {
      return text(yamlOrPath, "a file " + yamlOrPath + " cannot be read (" + reason(unreadable) + ")");
    } catch (InvalidPathException noPath) {
      return text(yamlOrPath, null);
    }
  }

  private static boolean hasLineOrNul(String source) {
    return source.indexOf('\n') >= 0 || source.indexOf('\r') >= 0 || source.indexOf('\0') >= 0;
  }

  /** A name of a file that is not there reads like a workflow that consists of one word. */
  private static WorkflowSource text(String source, String because) {
    boolean isHinted =
        because != null && source.length() <= MAX_HINTED_CHARS && LIKE_A_PATH.matcher(source).find();
    String hint = isHinted ? "It was taken as the text of a workflow: " + because + "." : null;
    return new WorkflowSource(source, hint, null);
  }

  private static WorkflowSource refused(String message) {
    return new WorkflowSource(null, null, new DocumentFault("", 1, 1, message));
  }

  /** A file may grow while it is read. */
  private static byte[] readUpTo(Path path, int maxBytes) throws IOException {
    try (InputStream file = Channels.newInputStream(Files.newByteChannel(path))) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      byte[] chunk = new byte[CHUNK_BYTES];
      while (bytes.size() < maxBytes) {
        int read = file.read(chunk, 0, Math.min(chunk.length, maxBytes - bytes.size()));
        if (read < 0) break;
        bytes.write(chunk, 0, read);
      }
      return bytes.toByteArray();
    }
  }

  private static String decoded(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  private static String reason(Exception unreadable) {
    if (unreadable instanceof NoSuchFileException) return "there is none";
    if (unreadable instanceof AccessDeniedException || unreadable instanceof SecurityException) return "access denied";
    return unreadable.getClass().getSimpleName();
  }

  /** The faults of a source that is none; empty where there is a text. */
  public List<DocumentFault> faults() {
    return refusal == null ? List.of() : List.of(refusal);
  }
}
