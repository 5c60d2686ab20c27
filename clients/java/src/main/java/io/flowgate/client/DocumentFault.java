package io.flowgate.client;

/**
 * One thing that is wrong in a workflow, and where.
 *
 * @param path JSON pointer into the document (or into the bindings); {@code ""} is the whole text
 * @param line counts from 1; null when the fault is not in the text (a binding)
 * @param column counts from 1, in UTF-16 units; null together with {@code line}
 * @param message what is wrong, and what to do
 */
public record DocumentFault(String path, Integer line, Integer column, String message) {}
