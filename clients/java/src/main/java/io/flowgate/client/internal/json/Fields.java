package io.flowgate.client.internal.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fields of a JSON object, each as what it should be; where it is something else it counts as absent.
 *
 * @param all by name, deeply immutable
 */
public record Fields(Map<String, Object> all) {
  public boolean has(String name) {
    return all.containsKey(name);
  }

  /** May be null. */
  public String text(String name) {
    return all.get(name) instanceof String text ? text : null;
  }

  public boolean flag(String name) {
    return Boolean.TRUE.equals(all.get(name));
  }

  public long whole(String name, long otherwise) {
    Long whole = wholeOrNull(name);
    return whole == null ? otherwise : whole;
  }

  public Long wholeOrNull(String name) {
    return all.get(name) instanceof Number number ? (Long) number.longValue() : null;
  }

  public double number(String name) {
    return all.get(name) instanceof Number number ? number.doubleValue() : 0;
  }

  public Double numberOrNull(String name) {
    return all.get(name) instanceof Number number ? (Double) number.doubleValue() : null;
  }

  /** Texts of an object, by name; empty where there is none. */
  public Map<String, String> textsByName(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    Fields object = object(name);
    if (object != null) {
      object.all().forEach((key, value) -> {
        if (value instanceof String text) texts.put(key, text);
      });
    }
    return texts;
  }

  /** May be null. */
  public Fields object(String name) {
    return all.get(name) instanceof Map<?, ?> map ? new Fields(JsonText.fields(map)) : null;
  }

  public List<Fields> objects(String name) {
    List<Fields> objects = new ArrayList<>();
    for (Object item : list(name)) if (item instanceof Map<?, ?> map) objects.add(new Fields(JsonText.fields(map)));
    return objects;
  }

  public List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (Object item : list(name)) if (item instanceof String text) texts.add(text);
    return List.copyOf(texts);
  }

  private List<?> list(String name) {
    return all.get(name) instanceof List<?> list ? list : List.of();
  }
}
