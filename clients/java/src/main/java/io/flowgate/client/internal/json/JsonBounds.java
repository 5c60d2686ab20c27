package io.flowgate.client.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;

/**
 * What of JSON is read and written here. The length of a text is bounded where it arrives, so that its strings and names
 * need no bound of their own; levels are bounded because readers call themselves, digits because they are dear.
 */
final class JsonBounds {
  /** The service takes 256, and puts a few around them. */
  static final int MAX_LEVELS = 1_000;

  static final int MAX_DIGITS = 1_000;

  /** Of a text that is read into objects; what is only checked may hold any number. */
  static final int MAX_VALUES = 10_000_000;

  private static final int RECYCLED_BUFFERS = 16;

  private JsonBounds() {}

  static JsonFactory factory() {
    return new JsonFactoryBuilder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(MAX_LEVELS)
                .maxNumberLength(MAX_DIGITS)
                .maxStringLength(Integer.MAX_VALUE)
                .maxNameLength(Integer.MAX_VALUE)
                .build())
        .streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(MAX_LEVELS).build())
        // A table of all names that ever came would be one that strangers fill.
        .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
        // Not one per thread: virtual ones are many.
        .recyclerPool(JsonRecyclerPools.newBoundedPool(RECYCLED_BUFFERS))
        .build();
  }
}
