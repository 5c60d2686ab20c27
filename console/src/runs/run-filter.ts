import type { RunFilter, RunOrigin, RunStatus } from 'flowgate-client/remote';
import type { Query } from '../app/address.js';

export const STATUSES: readonly RunStatus[] = ['running', 'paused', 'failed', 'completed', 'pending'];
export const ORIGINS: readonly RunOrigin[] = ['client', 'fork', 'schedule', 'bulk', 'child', 'import'];
const MOST_LABELS = 3;

/** What the address says of a list of runs, as the service is asked for it. What is no filter is passed over. */
export function runFilterOf(query: Query): RunFilter {
  const status = (query['status'] ?? '').split(',').filter((one): one is RunStatus => isOneOf(STATUSES, one));
  const origin = ORIGINS.find((one) => one === query['origin']);
  const labels = labelsOf(query['labels'] ?? '');
  return {
    ...texts({
      workflowId: query['workflow'],
      idPrefix: query['id'],
      forkedFrom: query['forkedFrom'],
      parent: query['parent'],
      definitionHash: query['definition'],
      gateUnit: query['gateUnit'],
    }),
    ...instants({ createdAfter: query['after'], createdBefore: query['before'] }),
    ...(status.length === 0 ? {} : { status }),
    ...(labels === null ? {} : { labels }),
    ...(origin === undefined ? {} : { origin }),
    ...(query['gate'] === 'open' ? { openGate: true as const } : {}),
    ...(query['cancelled'] === 'yes' || query['cancelled'] === 'no'
      ? { cancelled: query['cancelled'] === 'yes' }
      : {}),
  };
}

/** `team:billing, stage:live`, at most three; null: none. */
export function labelsOf(text: string): Readonly<Record<string, string>> | null {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair.indexOf(':') > 0 && pair.indexOf(':') < pair.length - 1)
    .slice(0, MOST_LABELS)
    .map((pair) => [pair.slice(0, pair.indexOf(':')).trim(), pair.slice(pair.indexOf(':') + 1).trim()]);
  return pairs.length === 0 ? null : (Object.fromEntries(pairs) as Readonly<Record<string, string>>);
}

function texts(given: Readonly<Record<string, string | undefined>>): RunFilter {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => (value ?? '') !== ''));
}

/** A date and time of the reader's own zone, as the browser's field for it writes them. */
function instants(given: Readonly<Record<string, string | undefined>>): RunFilter {
  const read = Object.entries(given).map(([name, value]) => [name, Date.parse(value ?? '')] as const);
  return Object.fromEntries(read.filter(([, at]) => !Number.isNaN(at)));
}

function isOneOf<T extends string>(words: readonly T[], word: string): word is T {
  return words.some((one) => one === word);
}
