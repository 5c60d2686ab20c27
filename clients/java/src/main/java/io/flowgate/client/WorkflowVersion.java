package io.flowgate.client;

/**
 * One version of a workflow that the service keeps.
 *
 * @param definitionHash what names it
 * @param registeredAt epoch ms
 * @param current whether runs start from it now
 */
public record WorkflowVersion(String definitionHash, long registeredAt, boolean current) {}
