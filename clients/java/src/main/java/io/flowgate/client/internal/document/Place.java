package io.flowgate.client.internal.document;

/** A place in a text; both count from 1, the column in UTF-16 units. */
record Place(int line, int column) {}
