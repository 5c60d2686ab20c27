import { apiUrl, client, watchedFetch } from '../api/service.js';
import { namesIn } from '../documents/document-names.js';
import type { Schema } from './language/schema-walk.js';

/** So many of the newest workflows are looked into for names of units: no route lists those that the service knows. */
const MOST_WORKFLOWS = 12;
/** Longer documents are not looked into. */
const MOST_CHARACTERS = 256 * 1_024;

/** The schema of the language as this service publishes it; null: it does not, or cannot be reached. */
export async function publishedSchema(signal: AbortSignal): Promise<Schema | null> {
  try {
    // Schemas are shown to everybody.
    const url = new URL('schemas/workflow.v1.json', apiUrl.peek());
    const response = await watchedFetch(url, { signal });
    return response.ok ? ((await response.json()) as Schema) : null;
  } catch {
    return null;
  }
}

/** What stands behind `uses` in workflows that are registered. Whatever cannot be read is left out. */
export async function usesOfOthers(signal: AbortSignal): Promise<readonly string[]> {
  const service = client.peek();
  const uses = new Set<string>();
  try {
    const workflows = await service.listWorkflows({ signal });
    const newest = workflows.toSorted((a, b) => b.registeredAt - a.registeredAt).slice(0, MOST_WORKFLOWS);
    for (const { workflowId } of newest) {
      const { bindings, yaml } = await service.getWorkflow(workflowId, { signal });
      for (const binding of bindings) uses.add(binding.uses);
      if (yaml.length <= MOST_CHARACTERS) for (const name of namesIn(yaml).uses) uses.add(name);
    }
  } catch {
    // What was found until then is of use all the same.
  }
  return [...uses];
}
