package io.flowgate.client.internal.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.flowgate.client.DocumentFault;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The JSON value of a syntax tree. What JSON cannot hold, or what would surprise its author, is a fault. */
final class YamlValues {
  private static final double MAX_SAFE = 9_007_199_254_740_991d;

  private final SourceText source;
  private final List<DocumentFault> faults = new ArrayList<>();
  private final Map<YamlNode.Alias, YamlNode> aliasTargets = new IdentityHashMap<>();
  private final Map<String, YamlNode> anchors = new HashMap<>();
  /** Those that are being read: an alias to one of them would never end. */
  private final Set<YamlNode> open = Collections.newSetFromMap(new IdentityHashMap<>());

  private int aliases;
  private int aliasedValues;
  private int aliasDepth;

  private YamlValues(SourceText source) {
    this.source = source;
  }

  /**
   * The value, what each alias stands for, and at most 100 faults.
   *
   * @param aliasTargets the node that had its anchor when the alias was read
   */
  record Result(JsonNode value, Map<YamlNode.Alias, YamlNode> aliasTargets, List<DocumentFault> faults) {}

  static Result of(SourceText source, YamlNode root) {
    YamlValues reader = new YamlValues(source);
    JsonNode value = reader.read(root, "", 0);
    return new Result(value, reader.aliasTargets, reader.faults);
  }

  private JsonNode read(YamlNode node, String pointer, int depth) {
    if (node == null || faults.size() >= YamlBounds.MAX_FAULTS) return NullNode.instance;
    if (aliasDepth > 0 && ++aliasedValues > YamlBounds.MAX_ALIASED_VALUES) {
      boolean isFirst = aliasedValues == YamlBounds.MAX_ALIASED_VALUES + 1;
      return isFirst
          ? refuse(node, pointer, "takes more from aliases than a document may: write it out")
          : NullNode.instance;
    }
    if (node instanceof YamlNode.Alias alias) return readAlias(alias, pointer, depth);
    if (node instanceof YamlNode.Text text) {
      register(node);
      return readText(text, pointer);
    }
    if (depth >= YamlBounds.MAX_DEPTH) {
      return refuse(node, pointer, "is nested deeper than " + YamlBounds.MAX_DEPTH + " levels: flatten it");
    }
    register(node);
    open.add(node);
    JsonNode value =
        node instanceof YamlNode.Fields map
            ? readFields(map, pointer, depth)
            : readEntries((YamlNode.Entries) node, pointer, depth);
    open.remove(node);
    return value;
  }

  private void register(YamlNode node) {
    // Inside an alias the anchors have been seen already, at their own place.
    if (aliasDepth == 0 && node.anchor != null) anchors.put(node.anchor, node);
  }

  private JsonNode readAlias(YamlNode.Alias alias, String pointer, int depth) {
    String name = ValueWords.shortened(alias.name);
    YamlNode target = aliasTargets.containsKey(alias) ? aliasTargets.get(alias) : anchors.get(alias.name);
    if (target == null) {
      return refuse(
          alias, pointer, "is the alias `*" + name + "`, and no anchor `&" + name + "` stands before it");
    }
    if (open.contains(target)) {
      return refuse(alias, pointer, "is the alias `*" + name + "` inside what it stands for: it would never end");
    }
    if (++aliases > YamlBounds.MAX_ALIASES) {
      return aliases == YamlBounds.MAX_ALIASES + 1
          ? refuse(alias, pointer, "is one alias too many: a document may use " + YamlBounds.MAX_ALIASES)
          : NullNode.instance;
    }
    aliasTargets.put(alias, target);
    aliasDepth++;
    JsonNode value = read(target, pointer, depth);
    aliasDepth--;
    return value;
  }

  private JsonNode readFields(YamlNode.Fields map, String pointer, int depth) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (YamlNode.Field field : map.fields) {
      String name = field.key().text;
      String child = JsonPointers.child(pointer, name);
      String problem = problemOf(field.key(), object);
      if (problem != null) refuse(field.key(), child, problem);
      else object.set(name, read(field.value(), child, depth + 1));
      if (faults.size() >= YamlBounds.MAX_FAULTS) break;
    }
    return object;
  }

  private static String problemOf(YamlNode.Text key, ObjectNode object) {
    String name = key.text;
    if (name.equals("__proto__")) return "is a name that is refused everywhere: choose another";
    if (name.equals("<<") && key.isPlain) {
      return "is a merge key, which YAML 1.2 does not have: write the fields out, or put the name in quotes";
    }
    if (!isWellFormed(name)) return "has half of a character (a lone surrogate) in its name: remove it";
    return object.has(name) ? "is there twice: keep one of the two" : null;
  }

  private JsonNode readEntries(YamlNode.Entries list, String pointer, int depth) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode(list.items.size());
    for (int index = 0; index < list.items.size(); index++) {
      array.add(read(list.items.get(index), JsonPointers.child(pointer, index), depth + 1));
      if (faults.size() >= YamlBounds.MAX_FAULTS) break;
    }
    return array;
  }

  private JsonNode readText(YamlNode.Text text, String pointer) {
    if (text.value == null) return NullNode.instance;
    if (text.value instanceof Boolean is) return BooleanNode.valueOf(is);
    if (text.value instanceof Double number) return readNumber(text, number, pointer);
    String value = (String) text.value;
    if (!isWellFormed(value)) {
      return refuse(text, pointer, "holds half of a character (a lone surrogate): remove it");
    }
    return TextNode.valueOf(value);
  }

  private JsonNode readNumber(YamlNode.Text text, double value, String pointer) {
    if (!Double.isFinite(value)) {
      return refuse(
          text, pointer, "is not a finite number: JSON has no infinity and no NaN, so write it in quotes");
    }
    if (Math.abs(value) <= MAX_SAFE && value == Math.rint(value)) return LongNode.valueOf((long) value);
    if (CoreSchema.isWhole(text.text)) {
      return refuse(text, pointer, "is too large a number to be kept exactly: write it in quotes");
    }
    // What has no fraction is a whole number to JSON Schema, however it is written.
    return value == Math.rint(value)
        ? BigIntegerNode.valueOf(new BigDecimal(value).toBigInteger())
        : DoubleNode.valueOf(value);
  }

  private JsonNode refuse(YamlNode node, String pointer, String problem) {
    Place place = source.placeAt(node.start);
    String message = JsonPointers.readable(pointer) + " " + problem;
    faults.add(new DocumentFault(pointer, place.line(), place.column(), message));
    return NullNode.instance;
  }

  private static boolean isWellFormed(String text) {
    for (int at = 0; at < text.length(); at++) {
      char unit = text.charAt(at);
      if (!Character.isSurrogate(unit)) continue;
      boolean isPair =
          Character.isHighSurrogate(unit)
              && at + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(at + 1));
      if (!isPair) return false;
      at++;
    }
    return true;
  }
}
