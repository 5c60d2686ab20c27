import type { FlowgateClient, RunFilter, RunItem } from 'flowgate-client';
import { SETTINGS } from '../../config/service/settings.js';
import { PUBLISHED_ORIGINS, RUN_STATUSES } from '../../engine/vocabulary.js';
import { ageText } from '../terminal/age.js';
import { runEnding } from '../tree/run-ending.js';
import type { Candidate, Completion } from './completed-line.js';

type Open = Exclude<Completion, { readonly kind: 'words' }>;
type Asked = Pick<FlowgateClient, 'listWorkflows' | 'listRuns' | 'listGates' | 'listVersions' | 'listKeys'>;

export interface Asking {
  readonly client: () => Asked;
  readonly signal: AbortSignal;
  /** The word at the cursor. */
  readonly current: string;
  readonly now: number;
}

/** So many of the newest are offered. */
const MOST = 100;
const OF_WORKFLOWS = ['start', 'unregister', 'versions', 'diff'];
const OF_RUNS = [
  'get',
  'resume',
  'cancel',
  'pause',
  'compensate',
  'watch',
  'logs',
  'events',
  'fork',
  'export',
];
/** Of which runs a command makes something. */
const FILTERS: Readonly<Record<string, RunFilter>> = {
  resume: { status: ['paused', 'failed'] },
  cancel: { status: ['running', 'paused'] },
  pause: { status: ['running', 'paused'] },
  compensate: { status: 'failed' },
};

/** What may stand there by what is known here, or at the server; empty: nothing is known, or it is a file. */
export function candidatesFor(completion: Open, asking: Asking): Promise<readonly Candidate[]> {
  return completion.kind === 'value' ? valuesOf(completion, asking) : argumentsOf(completion, asking);
}

async function argumentsOf(
  { command, index, words }: Extract<Open, { readonly kind: 'argument' }>,
  asking: Asking,
): Promise<readonly Candidate[]> {
  const [first = ''] = words.positionals;
  if (OF_WORKFLOWS.includes(command)) {
    if (index === 0) return workflows(asking);
    return command === 'diff' && index < 3 ? versions(first, asking) : [];
  }
  if (command === 'keys') return index === 1 && ['rotate', 'revoke'].includes(first) ? keys(asking) : [];
  const isOfGates = command === 'approve' || command === 'reject';
  if (!isOfGates && command !== 'describe' && !OF_RUNS.includes(command)) return [];
  if (index > 1) return [];
  const workflowId = index === 1 ? first : undefined;
  if (isOfGates) return gateRuns(workflowId, asking);
  const found = await runs({ ...FILTERS[command], workflowId }, asking);
  if (index === 1) return found;
  if (command === 'describe') return [...(await workflows(asking)), ...found];
  // A word that no run is named by may begin the name of its workflow.
  return found.some(({ word }) => word.startsWith(asking.current)) ? found : workflows(asking);
}

async function valuesOf(
  { option, words }: Extract<Open, { readonly kind: 'value' }>,
  asking: Asking,
): Promise<readonly Candidate[]> {
  const [first = ''] = words.positionals;
  switch (option) {
    case 'status':
      return inList(RUN_STATUSES, asking.current);
    case 'origin':
      return asWords(PUBLISHED_ORIGINS);
    case 'log-level':
      return asWords(SETTINGS.logLevel.values ?? []);
    case 'store':
      return asWords(SETTINGS.store.values ?? []);
    case 'registry':
      return asWords(SETTINGS.registry.values ?? []);
    case 'workflow':
      return workflows(asking);
    case 'forked-from':
    case 'parent':
    case 'run':
    case 'id':
      return wholeIds(asking);
    case 'hash':
      return versions(first, asking);
    case 'definition':
      return versions(words.values.get('workflow') ?? '', asking);
    case 'gate':
      return gatesOf(words.positionals.at(-1) ?? '', asking);
    default:
      return [];
  }
}

async function workflows({ client, signal }: Asking): Promise<readonly Candidate[]> {
  const items = await client().listWorkflows({ signal });
  return items.map(({ workflowId, description }) => ({ word: workflowId, about: description ?? '' }));
}

/** By the ends of their ids, or whole, once more than an end is typed. */
async function runs(filter: RunFilter, asking: Asking): Promise<readonly Candidate[]> {
  const { client, signal, current, now } = asking;
  const { items } = await client().listRuns({ ...filter, limit: MOST, signal });
  return items.flatMap((item) => named(item, current).map((word) => ({ word, about: aboutRun(item, now) })));
}

async function wholeIds(asking: Asking): Promise<readonly Candidate[]> {
  const { client, signal, now } = asking;
  const { items } = await client().listRuns({ limit: MOST, signal });
  return items.map((item) => ({ word: item.runId, about: aboutRun(item, now) }));
}

async function gateRuns(workflowId: string | undefined, asking: Asking): Promise<readonly Candidate[]> {
  const { client, signal, current } = asking;
  const { items } = await client().listGates({ workflowId, limit: MOST, signal });
  return items.flatMap(({ runId, workflowId: of, unitId, title }) =>
    named({ runId }, current).map((word) => ({ word, about: `${of} ${unitId}: ${title}` })),
  );
}

async function gatesOf(run: string, { client, signal }: Asking): Promise<readonly Candidate[]> {
  const { items } = await client().listGates({ limit: MOST, signal });
  return items
    .filter(({ runId }) => run !== '' && runId.endsWith(run))
    .map(({ gateId, unitId, title }) => ({ word: String(gateId), about: `${unitId}: ${title}` }));
}

async function versions(workflowId: string, { client, signal }: Asking): Promise<readonly Candidate[]> {
  if (workflowId === '') return [];
  const { items } = await client().listVersions(workflowId, { limit: MOST, signal });
  return items.map(({ definitionHash, current }) => ({
    word: definitionHash,
    about: current ? 'the current one' : '',
  }));
}

async function keys({ client, signal }: Asking): Promise<readonly Candidate[]> {
  const { items } = await client().listKeys({ limit: MOST, signal });
  return items.map(({ id, owner }) => ({ word: id, about: owner }));
}

function named({ runId }: Pick<RunItem, 'runId'>, current: string): readonly string[] {
  const ending = runEnding(runId);
  return current !== '' && !ending.startsWith(current) && runId.startsWith(current) ? [runId] : [ending];
}

function aboutRun({ workflowId, status, createdAt }: RunItem, now: number): string {
  return `${workflowId} ${status} ${ageText(now - createdAt)} ago`;
}

function asWords(words: readonly string[]): readonly Candidate[] {
  return words.map((word) => ({ word, about: '' }));
}

/** The last of several, separated by commas. */
function inList(words: readonly string[], current: string): readonly Candidate[] {
  const before = current.slice(0, current.lastIndexOf(',') + 1);
  return asWords(words.filter((word) => !before.split(',').includes(word)).map((word) => `${before}${word}`));
}
