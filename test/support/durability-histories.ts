import { readdirSync, readFileSync } from 'node:fs';
import { foldLog } from '../../src/engine/core/fold-log.js';
import { decodeEvents } from '../../src/engine/core/log/event-codec.js';
import type { JsonValue } from '../../src/engine/core/json.js';
import { INITIAL_STATE } from '../../src/engine/core/state/state.js';
import { createEngine, InMemoryRunStore, type Engine, type RunRecord } from '../../src/engine/index.js';
import type { RunMessage } from '../../src/engine/core/log/messages.js';
import { openGatesOf } from '../../src/engine/core/waits/gate.js';
import { DEFAULT_NAMESPACE } from '../../src/engine/core/namespace.js';
import type { StoredEvent } from '../../src/engine/ports/store/append.js';
import type { StoredDefinition } from '../../src/engine/ports/store/definition-store.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';
import { rowOf } from '../../src/engine/runtime/mailbox/appending/append-request.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { outcomeOf } from './durability-engine.js';
import { scenarioUnits } from './durability-units.js';

/** A run as a version left it in the store, and as it was shown then. */
export interface History {
  readonly name: string;
  readonly definition: StoredDefinition;
  /** As they were stored: in the versions of that time. */
  readonly events: readonly StoredEvent[];
  /** How many events there were after each write: what a power cut can leave. */
  readonly writes: readonly number[];
  /** What became of it: the same whichever version reads the log. */
  readonly record: RunRecord;
}

/** An engine that plays recorded runs, and its time. */
export interface Player {
  readonly engine: Engine;
  readonly store: RunStore;
  /** Lets time pass until the promise comes to its end. */
  inTime<T>(promise: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const FOLDER = 'test/fixtures/histories';
const HOUR_MS = 3_600_000;

/**
 * Every history of the two versions that recorded them in this form, with the version in front of its name. Later ones are in
 * `support/golden`.
 */
export function recordedHistories(): readonly History[] {
  return EARLIER.flatMap((version) =>
    readdirSync(`${FOLDER}/${version}`)
      .sort()
      .map((file) => {
        const history = JSON.parse(readFileSync(`${FOLDER}/${version}/${file}`, 'utf8')) as History;
        // What version 0.1.0 knew nothing of.
        const unknownThen = { namespace: DEFAULT_NAMESPACE, plan: null };
        const definition = Object.assign(unknownThen, history.definition);
        return { ...history, definition, name: `${version} ${history.name}` };
      }),
  );
}

/** Continues from the first events of the log: from all of them, or from where a power cut stopped it. */
export async function playFrom(history: History, count = history.events.length): Promise<Player> {
  const store = new InMemoryRunStore();
  await store.open();
  await store.saveDefinition(history.definition);
  const events = history.events.slice(0, count);
  const { runId } = history.record;
  const state = foldLog(INITIAL_STATE, decodeEvents(events, runId));
  await store.append({
    runId,
    expectedSeq: 0,
    events,
    row: rowOf(state),
    storedState: null,
    idempotency: [],
    labels: null,
    openGates: openGatesOf(state),
    decidedGates: null,
    startedFrom: null,
    concernsFamily: false,
  });
  return openPlayer(store, { isMended: true }, state.updatedAt + HOUR_MS);
}

/** Approves and resumes wherever the run stops, until it has completed. */
export async function playToTheEnd(player: Player, { record }: History): Promise<RunRecord> {
  const { engine, store, inTime } = player;
  const { workflowId, runId } = record;
  const address = { workflowId, runId };
  for (let steps = 0; steps < 100; steps++) {
    const now = await engine.runs.get(address);
    if (now.status === 'completed') return now;
    const state = foldLog(
      INITIAL_STATE,
      decodeEvents(await store.readEvents({ runId, afterSeq: 0, limit: 10_000 }), runId),
    );
    const gateId = openGatesOf(state)[0]?.gateId;
    if (now.status === 'running') await inTime(Promise.resolve());
    else if (gateId === undefined) await inTime(engine.runs.resume(address));
    else await inTime(engine.gates.respond({ ...address, gateId, approved: true, responder: 'ann' }));
  }
  throw new Error('The run does not come to an end.');
}

/** The record without what messages have since later versions. */
export function asShownBy(name: string, record: RunRecord): RunRecord {
  const [version = ''] = name.split(' ');
  if (record.result === undefined || !EARLIER.includes(version)) return record;
  const known = record.result.messages.filter(({ type }) => version !== '0.1.0' || !SINCE_0_2.has(type));
  const messages = known.map((message) => {
    if (message.type !== 'hitl-response') return message;
    const { via: _sinceLater, ...shown } = message;
    return shown as RunMessage;
  });
  return { ...record, result: { ...record.result, messages } };
}

const EARLIER: readonly string[] = ['0.1.0', '0.2.0'];
const SINCE_0_2: ReadonlySet<string> = new Set(['unit-failed', 'run-failed', 'run-paused']);

/** The shared state without what depends on who decided, and when. */
export function stateOf(record: RunRecord): JsonValue {
  const ofTheDecision = new Set(['decidedAt', 'comment', 'responder', 'hitl.responder']);
  const text = JSON.stringify(record.result?.state, (key, value: JsonValue) =>
    ofTheDecision.has(key) ? undefined : value,
  );
  return JSON.parse(text) as JsonValue;
}

async function openPlayer(
  store: RunStore,
  unit: { readonly isMended: boolean },
  now?: number,
): Promise<Player> {
  const clock = new ManualClock(now);
  const engine = createEngine({ store, clock, shutdownGraceMs: 0, sameInstantMs: 0 });
  for (const [uses, handler] of Object.entries(scenarioUnits(() => unit.isMended))) {
    engine.registerUnit(uses, handler);
  }
  await engine.open();
  return {
    engine,
    store,
    async inTime(promise) {
      const outcome = outcomeOf(promise);
      do await clock.advance(1_000);
      while (outcome.isOpen);
      return promise;
    },
    close: () => engine.close(),
  };
}
