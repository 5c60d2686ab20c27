import { nearNames } from '../../../errors/near-names.js';
import { UnknownWorkflowError } from '../../../errors/run-errors.js';
import type { Wording } from '../../../errors/wording.js';

/** Names that are compared: the work grows with their number. */
const MOST_COMPARED = 1_000;
const MOST_NAMED = 3;

export interface UnknownWorkflow {
  readonly workflowId: string;
  /** The workflows of its namespace that may be named. */
  readonly known: Iterable<string>;
  /** It was registered before this process, and the registry is held in memory. */
  readonly isOfEarlier: boolean;
}

/** The error for a workflow that is not registered, with what was probably meant. */
export function unknownWorkflow({ workflowId, known, isOfEarlier }: UnknownWorkflow): UnknownWorkflowError {
  if (isOfEarlier) return new UnknownWorkflowError(workflowId, OF_EARLIER);
  const near = nearNames(workflowId, firstOf(known), { typos, limit: MOST_NAMED });
  const last = near.at(-1);
  if (last === undefined) return new UnknownWorkflowError(workflowId);
  const others = near.slice(0, -1);
  return new UnknownWorkflowError(
    workflowId,
    `Did you mean ${others.length === 0 ? last : `${others.join(', ')} or ${last}`}?`,
  );
}

const OF_EARLIER: Wording = ({ setting }) =>
  'It was registered before the service was started again, and the registry is held in memory: register it again, ' +
  `have its document in the folder of ${setting('FLOWGATE_WORKFLOWS_DIR')}, or set ${setting('FLOWGATE_REGISTRY')}=durable.`;

function typos(letters: number): number {
  return Math.max(1, Math.floor(letters / 4));
}

function* firstOf(names: Iterable<string>): Generator<string> {
  let count = 0;
  for (const name of names) {
    if (count === MOST_COMPARED) return;
    count += 1;
    yield name;
  }
}
