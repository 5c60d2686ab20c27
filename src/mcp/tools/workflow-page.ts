import type { WorkflowSummary } from '../../engine/index.js';
import { InvalidRequestError } from '../../errors/request-errors.js';

/** The longest page: an agent reads all of it. */
const PAGE_WORKFLOWS = 100;
const PAGE_CHARS = 65_536;

type Item = Pick<WorkflowSummary, 'workflowId' | 'description' | 'labels'>;

/** One page of the workflows, in the order of their registration; the next begins after `nextCursor`. */
export function workflowPage(
  all: readonly WorkflowSummary[],
  cursor: string | null,
): { readonly workflows: readonly Item[]; readonly nextCursor?: string } {
  const workflows: Item[] = [];
  let chars = 0;
  const start = startBehind(all, cursor);
  for (const { workflowId, description, labels } of all.slice(start, start + PAGE_WORKFLOWS)) {
    const item = { workflowId, description, labels };
    chars += JSON.stringify(item).length;
    if (workflows.length > 0 && chars > PAGE_CHARS) break;
    workflows.push(item);
  }
  const last = workflows.at(-1)?.workflowId;
  return start + workflows.length < all.length && last !== undefined
    ? { workflows, nextCursor: last }
    : { workflows };
}

function startBehind(all: readonly WorkflowSummary[], cursor: string | null): number {
  if (cursor === null) return 0;
  const last = all.findIndex(({ workflowId }) => workflowId === cursor);
  if (last >= 0) return last + 1;
  throw new InvalidRequestError('cursor is not one of a page: leave it out to begin with the first page');
}
