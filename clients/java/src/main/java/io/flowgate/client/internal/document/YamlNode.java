package io.flowgate.client.internal.document;

import java.util.ArrayList;
import java.util.List;

/** A node of the syntax tree: what is written, not yet what it means. */
abstract sealed class YamlNode {
  /** Offset in the text, behind the anchor and the tag. */
  final int start;

  /** Null without one. */
  final String anchor;

  private YamlNode(int start, String anchor) {
    this.start = start;
    this.anchor = anchor;
  }

  static final class Text extends YamlNode {
    /** As the quotes, escapes and folded lines give it. */
    final String text;

    /** Neither in quotes nor a block. */
    final boolean isPlain;

    /** A {@link java.lang.String}, a {@link java.lang.Double}, a {@link java.lang.Boolean}, or null. */
    final Object value;

    Text(int start, String anchor, String text, boolean isPlain, Object value) {
      super(start, anchor);
      this.text = text;
      this.isPlain = isPlain;
      this.value = value;
    }

    /** {@code spec:} and nothing. */
    boolean isUnwritten() {
      return value == null && text.isEmpty();
    }
  }

  static final class Entries extends YamlNode {
    final List<YamlNode> items = new ArrayList<>();

    Entries(int start, String anchor) {
      super(start, anchor);
    }
  }

  static final class Fields extends YamlNode {
    final List<Field> fields = new ArrayList<>();

    Fields(int start, String anchor) {
      super(start, anchor);
    }
  }

  static final class Alias extends YamlNode {
    final String name;

    Alias(int start, String name) {
      super(start, null);
      this.name = name;
    }
  }

  /** One field of a map. */
  record Field(Text key, YamlNode value) {}
}
