import { messageOf } from '../../../errors/flowgate-error.js';
import { beginningOf } from '../../core/turn/failing/beginning-of.js';
import type { UnitFinished } from '../../core/waits/events/execution-events.js';
import type { JsonObject } from '../../core/json.js';
import { beginningOfJson } from '../../json/beginning-of-json.js';
import type { Plan } from '../../core/plan/plan.js';
import type { Clock } from '../../ports/clock.js';
import type { MemoryEntry, MemoryIndex } from '../../ports/memory/memory-index.js';
import type { LogEntry } from '../../ports/store/commit-log.js';
import type { EngineLogger } from '../logger.js';
import type { Load } from '../../scheduling/load.js';
import { LogFollower, type FollowedStore } from './log-follower.js';
import { readableEvents } from './readable-events.js';

const BATCH_ENTRIES = 500;
/** To index a text costs half as much among a hundred as among ten. A search has the follower hurry. */
const COLLECT_MS = 200;
const MAX_CONTENT_CHARS = 16_384;
const DEFAULT_NAMESPACE = 'default';

/** One append, as the store's log has it. */
export type AppendedEntry = LogEntry & { readonly kind: 'appended' };

export interface MemoryFollowerOptions {
  readonly store: FollowedStore;
  readonly memory: MemoryIndex;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** See `LogFollowerOptions`. */
  readonly pollMs: number | null;
  readonly load: Load;
  /** The plan of the entry's run, to see which units opted out; null where it is unknown. */
  readonly planOf: (entry: AppendedEntry) => Promise<Pick<Plan, 'units'> | null>;
}

/**
 * Puts the outputs of units into the memory, and takes out again what purged runs left. An output that is put twice
 * replaces itself. A run's tombstone comes after all its appends, so taking out last never takes out too little.
 */
export function memoryFollower(options: MemoryFollowerOptions): LogFollower {
  const { store, memory, clock, logger, pollMs, load } = options;
  return new LogFollower({
    name: 'memory',
    store,
    clock,
    logger,
    load,
    pollMs,
    batchEntries: BATCH_ENTRIES,
    collectMs: COLLECT_MS,
    handle: async (entries) => {
      const remembered = await entriesOf(entries, options);
      if (remembered.length > 0) await memory.put({ entries: remembered });
      const runIds = entries.filter(({ kind }) => kind === 'purged').map(({ runId }) => runId);
      if (runIds.length > 0) await memory.removeRuns({ runIds });
    },
  });
}

async function entriesOf(
  entries: readonly LogEntry[],
  { planOf, logger }: Pick<MemoryFollowerOptions, 'planOf' | 'logger'>,
): Promise<readonly MemoryEntry[]> {
  /** By namespace and hash: the runs of a batch have few definitions. */
  const plans = new Map<string, Pick<Plan, 'units'>>();
  const remembered: MemoryEntry[] = [];
  const unreadable: unknown[] = [];
  for (const entry of entries) {
    // What was done in another service is in the memory of that service.
    if (entry.kind === 'purged' || entry.isImport === true) continue;
    for (const event of readableEvents(entry, (error) => unreadable.push(error))) {
      if (event.type !== 'unit-finished' || event.output === null) continue;
      const key = `${entry.definitionHash} ${entry.namespace}`;
      const plan = plans.get(key) ?? (await planOf(entry));
      if (plan !== null) plans.set(key, plan);
      if (plan?.units.get(event.unitId)?.remembered === true) remembered.push(memoryEntry(entry, event));
    }
  }
  if (unreadable.length > 0) {
    logger.error('Entries of the log cannot be read; the memory goes on without them', {
      entries: unreadable.length,
      error: messageOf(unreadable[0]),
    });
  }
  return remembered;
}

function memoryEntry({ runId, workflowId, namespace }: AppendedEntry, event: UnitFinished): MemoryEntry {
  const { executionId, unitId, output, at } = event;
  const text = typeof output === 'string' ? output : beginningOfJson(output, MAX_CONTENT_CHARS);
  const metadata: JsonObject = { workflowId, runId, unitId, at };
  return {
    id: `${runId}:${executionId}`,
    content: beginningOf(text, MAX_CONTENT_CHARS),
    metadata: namespace === DEFAULT_NAMESPACE ? metadata : { ...metadata, namespace },
  };
}
