package io.flowgate.client.internal.document;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** Where in the text the values of a document stand. Looks up only what is asked for. */
final class PositionIndex {
  private final SourceText source;
  private final YamlNode root;
  private final Map<YamlNode.Alias, YamlNode> aliasTargets;
  /** By map: its fields by name, built when a pointer first leads through the map. */
  private final Map<YamlNode.Fields, Map<String, YamlNode.Field>> fields = new IdentityHashMap<>();

  PositionIndex(SourceText source, YamlNode root, Map<YamlNode.Alias, YamlNode> aliasTargets) {
    this.source = source;
    this.root = root;
    this.aliasTargets = aliasTargets;
  }

  private record Found(YamlNode node, int keyOffset, int valueOffset) {}

  /** Where the value begins. What is not there has the place of the nearest thing around it that is. */
  Place at(String pointer) {
    return source.placeAt(find(pointer).valueOffset);
  }

  /** Where the name of the field begins; for the entry of a list, where its value begins. */
  Place keyAt(String pointer) {
    return source.placeAt(find(pointer).keyOffset);
  }

  private Found find(String pointer) {
    int start = root == null ? 0 : root.start;
    Found found = new Found(root, start, start);
    for (String token : JsonPointers.tokens(pointer)) {
      Found step = step(found.node, token);
      if (step == null) return new Found(null, found.valueOffset, found.valueOffset);
      found = step;
    }
    return found;
  }

  private Found step(YamlNode parent, String token) {
    YamlNode container = parent instanceof YamlNode.Alias alias ? aliasTargets.get(alias) : parent;
    if (container instanceof YamlNode.Entries list) {
      int index = indexOf(token);
      if (index < 0 || index >= list.items.size()) return null;
      YamlNode item = list.items.get(index);
      return new Found(item, item.start, item.start);
    }
    if (!(container instanceof YamlNode.Fields map)) return null;
    YamlNode.Field field = fields.computeIfAbsent(map, PositionIndex::byName).get(token);
    if (field == null) return null;
    int keyOffset = field.key().start;
    // A value that is not written (`spec:` and nothing) is shown at its name.
    boolean isUnwritten = field.value() instanceof YamlNode.Text text && text.isUnwritten();
    return new Found(field.value(), keyOffset, isUnwritten ? keyOffset : field.value().start);
  }

  private static int indexOf(String token) {
    return token.matches("[0-9]{1,9}") ? Integer.parseInt(token) : -1;
  }

  private static Map<String, YamlNode.Field> byName(YamlNode.Fields map) {
    Map<String, YamlNode.Field> byName = new HashMap<>();
    for (YamlNode.Field field : map.fields) byName.put(field.key().text, field);
    return byName;
  }
}
