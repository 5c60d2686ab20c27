package io.flowgate.client.internal.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.AbstractKeyword;
import com.networknt.schema.keyword.AbstractKeywordValidator;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;
import com.networknt.schema.regex.RegularExpression;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The published schema, checked in pieces: the document without its units and flows, each unit, each flow without the
 * flows inside of it. A validator that follows the schema into itself would need a stack as deep as the document.
 *
 * <p>Compiled once, when the first document is read; may be used by many threads. Loads nothing but its own resource.
 */
final class WorkflowSchema {
  enum Piece {
    DOCUMENT,
    UNIT,
    FLOW
  }

  /** A place inside of a piece where another piece begins; the path is relative to the piece. */
  record Opening(Piece piece, NodePath path, JsonNode value) {}

  /** Paths in these are relative to the piece. */
  record Checked(List<Error> errors, List<Opening> openings) {}

  private static final String RESOURCE = "workflow.v1.schema.json";
  private static final String OPENING = "flowgatePiece";
  private static final Map<String, Piece> PIECES_BY_REF =
      Map.of("#/$defs/unit", Piece.UNIT, "#/$defs/flow", Piece.FLOW);

  private final Map<Piece, Schema> schemas = new EnumMap<>(Piece.class);
  private final Map<Piece, JsonNode> sources = new EnumMap<>(Piece.class);

  private WorkflowSchema(ObjectNode published) {
    SchemaRegistry registry = offlineRegistry();
    for (Piece piece : Piece.values()) {
      ObjectNode source = pieceOf(published, piece);
      Schema schema =
          registry.getSchema(SchemaLocation.of("urn:flowgate:schema:workflow:v1:" + piece.ordinal()), source);
      schema.initializeValidators();
      sources.put(piece, source);
      schemas.put(piece, schema);
    }
  }

  /** Made when it is first asked for: the JVM sees to it that one thread makes it and the others wait. */
  private static final class Holder {
    static final WorkflowSchema INSTANCE = new WorkflowSchema(published());
  }

  static WorkflowSchema instance() {
    return Holder.INSTANCE;
  }

  /** Checks one value against one piece. */
  Checked check(Piece piece, JsonNode value) {
    List<Opening> openings = new ArrayList<>();
    List<Error> errors =
        schemas
            .get(piece)
            .validate(value, (ExecutionContext context) -> context.getCollectorContext().put(OPENING, openings));
    return new Checked(errors, openings);
  }

  /** The object of the schema that holds the keyword of an error. */
  JsonNode ruleOf(Piece piece, Error error) {
    NodePath path = error.getSchemaLocation().getFragment();
    JsonNode rule = sources.get(piece);
    for (int at = 0; at < path.getNameCount() - 1; at++) {
      rule = path.getElement(at) instanceof Integer index ? rule.path(index) : rule.path(path.getName(at));
    }
    return rule;
  }

  /** Whether the schema of an expression is the one that complains. */
  static boolean isAboutExpression(Error error) {
    NodePath path = error.getSchemaLocation().getFragment();
    return path.getNameCount() == 3 && path.getName(1).equals("expression");
  }

  private static ObjectNode published() {
    try (InputStream resource = WorkflowSchema.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        throw new IllegalStateException(
            "The jar of the Flowgate client lacks " + RESOURCE + ": take one that was built by its pom.xml");
      }
      return (ObjectNode) new ObjectMapper().readTree(resource);
    } catch (IOException broken) {
      throw new UncheckedIOException("The jar of the Flowgate client is damaged: take it anew", broken);
    }
  }

  /** A copy in which every reference to a unit or a flow only notes that one stands there. */
  private static ObjectNode pieceOf(ObjectNode published, Piece piece) {
    ObjectNode cut = (ObjectNode) cut(published);
    cut.remove("$id");
    if (piece == Piece.DOCUMENT) return cut;
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.set("$schema", cut.get("$schema"));
    root.put("$ref", piece == Piece.UNIT ? "#/$defs/unit" : "#/$defs/flow");
    root.set("$defs", cut.get("$defs"));
    return root;
  }

  private static JsonNode cut(JsonNode node) {
    if (node.isArray()) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      node.forEach(item -> array.add(cut(item)));
      return array;
    }
    if (!node.isObject()) return node;
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    Piece piece = PIECES_BY_REF.get(node.path("$ref").asText());
    if (piece != null) return object.put(OPENING, piece.name());
    node.properties().forEach(field -> object.set(field.getKey(), cut(field.getValue())));
    return object;
  }

  private static SchemaRegistry offlineRegistry() {
    Dialect dialect = Dialect.builder(Dialects.getDraft202012()).keyword(new OpeningKeyword()).build();
    SchemaRegistryConfig config =
        SchemaRegistryConfig.builder()
            .regularExpressionFactory(WorkflowSchema::regularExpression)
            .preloadSchema(true)
            .build();
    return SchemaRegistry.withDialect(
        dialect,
        builder ->
            builder
                .schemaRegistryConfig(config)
                .schemaLoader(loader -> loader.fetchRemoteResources(false).block(address -> true)));
  }

  /** As JSON Schema means it: found anywhere, and {@code $} is the very end, also before a last line feed. */
  private static RegularExpression regularExpression(String regex) {
    Pattern pattern = Pattern.compile(regex.replaceAll("(?<!\\\\)\\$", "\\\\z"));
    return value -> pattern.matcher(value).find();
  }

  /** Notes that another piece begins at the value. */
  private static final class OpeningKeyword extends AbstractKeyword {
    OpeningKeyword() {
      super(OPENING);
    }

    @Override
    public KeywordValidator newValidator(
        SchemaLocation location, JsonNode value, Schema parent, SchemaContext context) {
      return new OpeningValidator(this, location, value);
    }
  }

  private static final class OpeningValidator extends AbstractKeywordValidator {
    private final Piece piece;

    OpeningValidator(OpeningKeyword keyword, SchemaLocation location, JsonNode value) {
      super(keyword, value, location);
      this.piece = Piece.valueOf(value.asText());
    }

    @Override
    public void validate(ExecutionContext context, JsonNode node, JsonNode root, NodePath path) {
      List<Opening> openings = context.getCollectorContext().get(OPENING);
      openings.add(new Opening(piece, path, node));
    }
  }
}
