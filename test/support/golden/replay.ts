import { decodeEvents } from '../../../src/engine/core/log/event-codec.js';
import type { RunStarted } from '../../../src/engine/core/log/event.js';
import type { RunStore } from '../../../src/engine/index.js';
import type { StoredEvent } from '../../../src/engine/ports/store/append.js';
import { appendRequest } from '../../../src/engine/runtime/mailbox/appending/append-request.js';
import type { History, Played } from './history.js';
import { Player } from './player.js';
import { endsOf, stateOf } from './ends.js';

/** Puts the first appends of a history into an empty store, as a power cut could have left them, and plays it to its end. */
export async function replay(history: History, cut: number, store: RunStore): Promise<Played> {
  const kept = history.appends.slice(0, cut);
  const opened = store.open();
  const { opening } = await opened;
  for (const definition of history.definitions) await store.register({ definition, opening });
  const seqs = await put(kept, store);
  const now = Math.max(...kept.flatMap(({ events }) => events.map(({ at }) => at)));
  const player = new Player(store, opened, now, kept.filter(isOwnStart).length);
  await player.open();
  const workflowId = history.ends[history.runId]?.record.workflowId ?? '';
  for (const step of history.steps) {
    // What was not answered is asked again, where that can do no harm: a second resume could lift the next pause.
    const isOpen = step.answeredAfter > cut && (step.do === 'pause' || step.do === 'cancel');
    if (step.afterAppends < cut && !isOpen) continue;
    await player.passTo(step.at);
    await player.take(step, { workflowId, runId: history.runId });
  }
  await player.passTo(history.lasts);
  const runIds = Object.keys(history.ends);
  const ends = await endsOf(player, store, runIds);
  const followed: Record<string, readonly StoredEvent[]> = {};
  for (const runId of runIds) {
    followed[runId] = await store.readEvents({ runId, afterSeq: seqs.get(runId) ?? 0, limit: 10_000 });
  }
  await player.close();
  return { ends, followed };
}

/** Of a run whose id was not made of its parent's. */
function isOwnStart({ events: [first] }: History['appends'][number]): boolean {
  return first?.type === 'run-started' && (first as RunStarted).parent === null;
}

/** What came of it in the version of the history. */
export function recordedFrom({ appends, ends, otherwiseAfter }: History, cut: number): Played {
  const otherwise = otherwiseAfter[cut];
  if (otherwise !== undefined) return { ends: otherwise.ends, followed: asPresent(otherwise.followed) };
  const later = appends.slice(cut);
  const followed: Record<string, readonly StoredEvent[]> = {};
  for (const runId of Object.keys(ends)) {
    followed[runId] = later.flatMap((append) => (append.runId === runId ? append.events : []));
  }
  return { ends, followed: asPresent(followed) };
}

/** In the versions of events that this build writes. */
function asPresent(followed: Played['followed']): Played['followed'] {
  return Object.fromEntries(
    Object.entries(followed).map(([runId, events]) => [runId, decodeEvents(events, runId)]),
  );
}

/** Answers the last seq of each run. */
async function put(appends: History['appends'], store: RunStore): Promise<ReadonlyMap<string, number>> {
  const logs = new Map<string, readonly StoredEvent[]>();
  for (const { runId, events } of appends) {
    const before = logs.get(runId) ?? [];
    const request = appendRequest(
      stateOf(before, runId, logs),
      stateOf([...before, ...events], runId, logs),
      decodeEvents(events, runId),
      { storedState: null, idempotency: [], startedFrom: null, isPreempted: false, isForeign: false },
    );
    expect(await store.append({ ...request, events })).toBe('appended');
    logs.set(runId, [...before, ...events]);
  }
  return new Map([...logs].map(([runId, events]) => [runId, events.at(-1)?.seq ?? 0]));
}
