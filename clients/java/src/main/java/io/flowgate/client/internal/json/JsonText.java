package io.flowgate.client.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON text as plain values of Java, deeply immutable: {@code Map}, {@code List}, {@code String}, {@code Boolean}, null,
 * {@code Integer}, {@code Long}, {@code BigInteger}, {@code Double}, {@code BigDecimal}. Of a key that stands twice the
 * last counts, as in the service.
 */
public final class JsonText {
  private static final JsonFactory FACTORY = JsonBounds.factory();

  /** The shortest decimal of every double has no more. */
  private static final int DIGITS_OF_A_DOUBLE = 17;

  private final JsonParser parser;
  private int values;

  private JsonText(JsonParser parser) {
    this.parser = parser;
  }

  /** The object that is the whole text. */
  public static Map<String, Object> object(String text) throws JsonFault {
    return read(text, true);
  }

  /**
   * The object that is the whole text, all of it checked, but only what stands in it directly: lists and objects are empty.
   * It takes no memory to speak of, however long the text is.
   */
  public static Map<String, Object> surface(String text) throws JsonFault {
    return read(text, false);
  }

  /** A value of such a text that is an object. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> fields(Map<?, ?> value) {
    return (Map<String, Object>) value;
  }

  private static Map<String, Object> read(String text, boolean isDeep) throws JsonFault {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) throw new JsonFault("it is no JSON object");
      Map<String, Object> read = new JsonText(parser).fields(isDeep);
      if (parser.nextToken() != null) throw new JsonFault("something follows the object");
      return read;
    } catch (StreamConstraintsException excess) {
      throw new JsonFault("it has more than " + JsonBounds.MAX_LEVELS + " levels, or a number of more than "
          + JsonBounds.MAX_DIGITS + " digits");
    } catch (JsonProcessingException malformed) {
      var at = malformed.getLocation();
      throw new JsonFault(
          "it is no JSON" + (at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")"));
    } catch (NumberFormatException | ArithmeticException excess) {
      throw new JsonFault("it has a number that is too large");
    } catch (IOException impossible) {
      throw new JsonFault("it cannot be read");
    }
  }

  private Map<String, Object> fields(boolean isDeep) throws IOException, JsonFault {
    Map<String, Object> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      fields.put(name, isDeep || token.isScalarValue() ? value(token) : skipped(token));
    }
    return fields.isEmpty() ? Map.of() : Collections.unmodifiableMap(fields);
  }

  private List<Object> items() throws IOException, JsonFault {
    List<Object> items = new ArrayList<>();
    for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
      items.add(value(token));
    }
    return items.isEmpty() ? List.of() : Collections.unmodifiableList(items);
  }

  private Object skipped(JsonToken token) throws IOException {
    parser.skipChildren();
    return token == JsonToken.START_ARRAY ? List.of() : Map.of();
  }

  private Object value(JsonToken token) throws IOException, JsonFault {
    if (++values > JsonBounds.MAX_VALUES) throw new JsonFault("it holds more than " + JsonBounds.MAX_VALUES + " values");
    return switch (token) {
      case START_OBJECT -> fields(true);
      case START_ARRAY -> items();
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getNumberValue();
      case VALUE_NUMBER_FLOAT -> fraction();
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      default -> null;
    };
  }

  private Number fraction() throws IOException {
    BigDecimal exact = parser.getDecimalValue();
    double rounded = exact.doubleValue();
    boolean fits = !Double.isInfinite(rounded) && (rounded != 0 || exact.signum() == 0);
    if (fits && exact.precision() <= DIGITS_OF_A_DOUBLE) return rounded;
    return exact;
  }
}
