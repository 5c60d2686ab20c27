package io.flowgate.client;

/**
 * A workflow that the service now knows.
 *
 * @param workflowId the document's {@code metadata.id}
 * @param note what the service says of how long it will know it; null where it says nothing
 * @param json the answer as it came
 */
public record RegisteredWorkflow(String workflowId, String note, String json) {}
