package io.flowgate.client.internal.document;

import io.flowgate.client.DocumentFault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.common.SpecVersion;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads one YAML 1.2 document into its syntax tree, from the events of the parser: the parser keeps its own stack, so no
 * depth of a text can overflow ours. Bounded in time and memory, whatever the text.
 */
final class YamlReader {
  private static final LoadSettings SETTINGS =
      LoadSettings.builder()
          .setLabel("workflow")
          // The size in bytes is bounded before.
          .setCodePointLimit(Integer.MAX_VALUE)
          .setVersionFunction(version -> version)
          .build();

  private final SourceText source;
  private final ScannableText scannable;
  private final List<DocumentFault> faults = new ArrayList<>();
  private final Deque<Open> open = new ArrayDeque<>();
  private YamlNode root;
  private int lexemes;
  private int properties;
  private int lastOffset;
  /** Where what was read last ends: until the next begins there are only spaces, signs and comments. */
  private int writtenEnd;
  /** Where the document begins, behind its mark. */
  private int documentStart;
  private boolean isOtherVersion;

  private YamlReader(SourceText source) {
    this.source = source;
    this.scannable = ScannableText.of(source.text());
  }

  /** A list or map whose end has not come yet. */
  private static final class Open {
    final YamlNode node;
    final boolean isInBrackets;
    /** Counts from 0; where its fields or entries begin, in a block. */
    final int column;
    final int start;
    YamlNode.Text key;
    boolean isAwaitingValue;

    Open(YamlNode node, boolean isInBrackets, int column, int start) {
      this.node = node;
      this.isInBrackets = isInBrackets;
      this.column = column;
      this.start = start;
    }
  }

  /** What came of it: the root (null where nothing is written), or faults. */
  record Result(YamlNode root, List<DocumentFault> faults) {}

  static Result read(SourceText source) {
    long bytes = source.bytes();
    if (bytes > YamlBounds.MAX_BYTES) {
      return new Result(null, List.of(fault(source, 0, YamlBounds.tooLarge(bytes))));
    }
    YamlReader reader = new YamlReader(source);
    try {
      reader.readEvents();
    } catch (SyntaxException refusal) {
      reader.add(refusal.offset, refusal.getMessage());
    } catch (MarkedYamlEngineException refusal) {
      SyntaxWords.Complaint complaint = reader.complaintOf(refusal);
      reader.add(complaint.offset(), complaint.message());
    } catch (RuntimeException broken) {
      // The parser has more kinds of complaints than it documents; none of them is the caller's concern.
      reader.add(reader.lastOffset, "not readable as YAML from here on: write it in a simpler way");
    }
    if (reader.faults.isEmpty() && reader.isOtherVersion) {
      reader.add(0, "the `%YAML` directive asks for another version than 1.2: remove it");
    }
    return new Result(reader.root, reader.faults);
  }

  private void readEvents() {
    ParserImpl parser = new ParserImpl(SETTINGS, new StreamReader(SETTINGS, scannable.text()));
    int documents = 0;
    while (parser.hasNext()) {
      Event event = parser.next();
      int offset = offsetOf(event.getStartMark());
      lastOffset = offset;
      if (event instanceof NodeEvent) checkComments(offset);
      switch (event.getEventId()) {
        case DocumentStart -> {
          if (++documents > 1) {
            throw new SyntaxException(
                offset,
                "a second document begins here: one text holds one workflow, so remove the `---` or `...`");
          }
          checkDirectives((DocumentStartEvent) event);
        }
        case MappingStart, SequenceStart -> begin((CollectionStartEvent) event, offset);
        case MappingEnd, SequenceEnd -> end(offset, offsetOf(event.getEndMark()));
        case Scalar -> add((ScalarEvent) event, offset);
        case Alias -> addAlias((AliasEvent) event, offset);
        case StreamEnd -> checkComments(source.length());
        default -> {}
      }
    }
  }

  /** The parser is lax with comments that touch what stands before them; the service is not. */
  private void checkComments(int end) {
    for (int at = writtenEnd; at < end; at++) {
      if (source.at(at) != '#') continue;
      boolean isApart = at == 0 || " \t\r\n".indexOf(source.at(at - 1)) >= 0;
      if (!isApart) add(at, "a comment needs a space before its `#`: put one there, or the text in quotes");
      at = source.endOfLine(at);
    }
    writtenEnd = Math.max(writtenEnd, end);
  }

  private void begin(CollectionStartEvent event, int offset) {
    NodeProperties written = NodeProperties.at(source, offset);
    count(event, 2);
    boolean isMap = event.getEventId() == Event.ID.MappingStart;
    refuseAsKey(written);
    event.getTag().ifPresent(tag -> checkCollectionTag(tag, isMap, written));
    String anchor = anchorOf(event);
    int start = written.nodeStart();
    YamlNode node = isMap ? new YamlNode.Fields(start, anchor) : new YamlNode.Entries(start, anchor);
    place(node);
    if (open.size() >= YamlBounds.MAX_DEPTH) throw new SyntaxException(start, YamlBounds.TOO_DEEP);
    open.push(new Open(node, event.isFlow(), columnOf(start), start));
    writtenEnd = event.isFlow() ? offsetOf(event.getEndMark()) : start;
  }

  private void end(int start, int offset) {
    Open ended = open.pop();
    if (!ended.isInBrackets) return;
    checkComments(start);
    writtenEnd = offset;
    if (open.isEmpty() || !open.peek().isInBrackets) {
      checkIndentation(ended.start, offset, true);
    }
  }

  private void add(ScalarEvent event, int offset) {
    NodeProperties written = NodeProperties.at(source, offset);
    boolean isEmpty = event.isPlain() && event.getValue().isEmpty();
    int start = isEmpty ? placeOfNothing(offset, written) : written.nodeStart();
    boolean isQuoted = event.isDQuoted() || event.isSQuoted();
    count(event, isEmpty ? 1 : isQuoted ? 2 : 3);
    if (isQuoted && (open.isEmpty() || !open.peek().isInBrackets)) {
      checkIndentation(start, offsetOf(event.getEndMark()), false);
    }
    writtenEnd = Math.max(start, isEmpty ? start : offsetOf(event.getEndMark()));
    String text = scannable.original(event.getValue());
    boolean isKey = isKeyNext();
    Object value;
    if (isKey) {
      value = text;
      boolean isText = event.getTag().map(tag -> CoreSchema.isTextTag(tag)).orElse(written.tag() == null);
      if (!isText && !isEmpty) add(written.tagOffset(), SyntaxWords.KEY_IS_NO_TEXT);
    } else {
      value = valueOf(event, text, written);
    }
    place(new YamlNode.Text(start, anchorOf(event), text, event.isPlain(), value));
  }

  private Object valueOf(ScalarEvent event, String text, NodeProperties written) {
    if (written.tag() == null) return event.isPlain() ? CoreSchema.plain(text) : text;
    if (written.tag().equals("!")) return text;
    String tag = event.getTag().orElse(written.tag());
    if (CoreSchema.tagged(text, tag) instanceof CoreSchema.Tagged.Value read) return read.value();
    add(written.tagOffset(), SyntaxWords.UNKNOWN_TAG);
    return text;
  }

  private void addAlias(AliasEvent event, int offset) {
    count(event, 2);
    writtenEnd = offsetOf(event.getEndMark());
    if (isKeyNext()) add(offset, SyntaxWords.KEY_IS_NO_TEXT);
    String name = scannable.original(event.getAlias().getValue());
    checkName(name, offset);
    place(new YamlNode.Alias(offset, name));
  }

  /** Puts a node where it belongs: a key, a value, an entry or the root. */
  private void place(YamlNode node) {
    Open parent = open.peek();
    if (parent == null) {
      root = node;
    } else if (parent.node instanceof YamlNode.Entries list) {
      list.items.add(node);
    } else if (parent.isAwaitingValue) {
      ((YamlNode.Fields) parent.node).fields.add(new YamlNode.Field(parent.key, node));
      parent.isAwaitingValue = false;
    } else {
      // A key that is no text is a fault already: what becomes of it is no matter.
      parent.key = node instanceof YamlNode.Text key ? key : new YamlNode.Text(node.start, null, "", true, "");
      parent.isAwaitingValue = true;
    }
  }

  private boolean isKeyNext() {
    return !open.isEmpty() && open.peek().node instanceof YamlNode.Fields && !open.peek().isAwaitingValue;
  }

  private void refuseAsKey(NodeProperties written) {
    if (isKeyNext()) add(written.nodeStart(), SyntaxWords.KEY_IS_NO_TEXT);
  }

  private void checkCollectionTag(String tag, boolean isMap, NodeProperties written) {
    boolean isMeant =
        "!".equals(written.tag()) || (isMap ? CoreSchema.isMapTag(tag) : CoreSchema.isListTag(tag));
    if (!isMeant) add(written.tagOffset(), SyntaxWords.UNKNOWN_TAG);
  }

  private void checkIndentation(int start, int end, boolean isInBrackets) {
    int parentColumn = open.isEmpty() ? -1 : open.peek().column;
    int line = ContinuedLines.firstTooFarLeft(source, start, end, parentColumn, isInBrackets);
    if (line == -1) return;
    throw isInBrackets
        ? new SyntaxException(line, SyntaxWords.UNCLOSED_BRACKET)
        : new SyntaxException(line - 1, SyntaxWords.UNCLOSED_QUOTES);
  }

  private void checkDirectives(DocumentStartEvent event) {
    int end = offsetOf(event.getEndMark());
    documentStart = event.isExplicit() ? end : 0;
    for (int line = 0; line < end; line = source.endOfLine(line) + 1) {
      if (source.at(line) != '%') continue;
      countProperty(line);
      String directive = source.text().substring(line, Math.min(source.endOfLine(line), line + 200)).strip();
      if (!directive.matches("%(?:YAML|TAG)(?:[ \t].*)?")) {
        add(line, "this directive (`%…`) is not part of the language: remove it");
      }
    }
    Optional<SpecVersion> version = event.getSpecVersion();
    isOtherVersion = version.isPresent() && (version.get().getMajor() != 1 || version.get().getMinor() != 2);
  }

  /**
   * Where nothing is written there is no place; the service takes the one behind what is written before, and behind
   * the spaces that follow it.
   */
  private int placeOfNothing(int offset, NodeProperties written) {
    if (open.isEmpty() && written.nodeStart() == offset) return behindSpaces(documentStart);
    int at = offset;
    while (source.at(at) == '&' || source.at(at) == '!') {
      while (at < source.length() && " \t\r\n,]}".indexOf(source.at(at)) < 0) at++;
      int next = behindSpaces(at);
      if (source.at(next) != '&' && source.at(next) != '!') break;
      at = next;
    }
    return behindSpaces(at);
  }

  private int behindSpaces(int offset) {
    int at = offset;
    while (source.at(at) == ' ' || source.at(at) == '\t') at++;
    return at;
  }

  private void count(NodeEvent event, int atLeast) {
    lexemes += atLeast;
    if (lexemes > YamlBounds.MAX_LEXEMES) {
      throw new SyntaxException(lastOffset, "the text is too dense to be a workflow: split it up");
    }
    if (event.getAnchor().isPresent() || event instanceof AliasEvent) countProperty(lastOffset);
    boolean isTagged =
        event instanceof ScalarEvent scalar && scalar.getTag().isPresent()
            || event instanceof CollectionStartEvent collection && collection.getTag().isPresent();
    if (isTagged) countProperty(lastOffset);
  }

  private void countProperty(int offset) {
    if (++properties > YamlBounds.MAX_PROPERTIES) {
      throw new SyntaxException(offset, "there are too many anchors, aliases, tags or directives here");
    }
  }

  private String anchorOf(NodeEvent event) {
    String name = event.getAnchor().map(Anchor::getValue).map(scannable::original).orElse(null);
    if (name != null) checkName(name, lastOffset);
    return name;
  }

  private void checkName(String name, int offset) {
    if (name.endsWith(":")) add(offset, "the name of an anchor cannot end in a colon: put a space before the colon");
  }

  private int columnOf(int offset) {
    return offset - source.startOfLine(offset);
  }

  private int offsetOf(Optional<Mark> mark) {
    return mark.map(Mark::getIndex).map(scannable::offsetOf).orElse(lastOffset);
  }

  private SyntaxWords.Complaint complaintOf(MarkedYamlEngineException refusal) {
    int offset = offsetOf(refusal.getProblemMark());
    int context = refusal.getContextMark().isPresent() ? offsetOf(refusal.getContextMark()) : offset;
    boolean isUnclosed =
        offset >= source.length() && refusal.getContext() != null && refusal.getContext().contains("quoted scalar");
    if (isUnclosed) return SyntaxWords.unclosedQuotes(source, context);
    return SyntaxWords.of(source, offset, context, refusal.getContext(), refusal.getProblem());
  }

  private void add(int offset, String message) {
    if (faults.size() < YamlBounds.MAX_FAULTS) faults.add(fault(source, offset, message));
  }

  private static DocumentFault fault(SourceText source, int offset, String message) {
    Place place = source.placeAt(offset);
    return new DocumentFault("", place.line(), place.column(), message);
  }
}
