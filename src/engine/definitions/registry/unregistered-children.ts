import type { DocumentWarning } from '../../language/document-warning.js';
import type { NamedChild } from '../../language/compiler/named-children.js';
import type { WorkflowRegistry } from './workflow-registry.js';

/** A warning of each workflow that a document names and that nobody has registered: it may still be, before a run comes there. */
export async function warningsOfChildren(
  registry: Pick<WorkflowRegistry, 'currentHash' | 'unknown' | 'isOpen'>,
  namespace: string,
  children: readonly NamedChild[],
): Promise<readonly DocumentWarning[]> {
  // Before it is open, nothing is registered, and nothing is known of what will be.
  if (!registry.isOpen) return [];
  const warnings: DocumentWarning[] = [];
  for (const { unitId, workflowId, ...at } of children) {
    if ((await registry.currentHash(namespace, workflowId)) !== null) continue;
    const { detail } = await registry.unknown(namespace, workflowId);
    const message =
      `The unit ${unitId} starts runs of the workflow ${workflowId}, which is not registered: ` +
      `register it before a run comes there, or put its name right.${detail === undefined ? '' : ` ${detail}`}`;
    warnings.push({ code: 'unregistered-child', ...at, message });
  }
  return warnings;
}
