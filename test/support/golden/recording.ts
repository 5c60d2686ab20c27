import { isDeepStrictEqual } from 'node:util';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DEFAULT_NAMESPACE } from '../../../src/engine/core/namespace.js';
import { InMemoryRunStore } from '../../../src/engine/index.js';
import type { StoredEvent } from '../../../src/engine/ports/store/append.js';
import type { StoredDefinition } from '../../../src/engine/ports/store/definition-store.js';
import type { RunStore } from '../../../src/engine/ports/store/run-store.js';
import type { History, Played, TakenStep } from './history.js';
import { Player } from './player.js';
import { endsOf } from './ends.js';
import { recordedFrom, replay } from './replay.js';
import type { Scenario } from './scenarios.js';

const FOLDER = 'test/fixtures/histories';
/** Recorded by an older recorder, in a form of their own: see `durability-histories.ts`. */
const OLDER: ReadonlySet<string> = new Set(['0.1.0', '0.2.0']);

/** The versions that recorded histories of this form, oldest first. */
export function recordedVersions(): readonly string[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !OLDER.has(entry.name))
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

export function historiesOf(version: string): readonly History[] {
  const files = readdirSync(`${FOLDER}/${version}`).sort();
  return files.map((file) => JSON.parse(readFileSync(`${FOLDER}/${version}/${file}`, 'utf8')) as History);
}

/** Plays a scenario with this build and keeps what it left. What a version recorded is never recorded again. */
export async function record(version: string, scenario: Scenario): Promise<void> {
  const file = `${FOLDER}/${version}/${scenario.name}.json`;
  if (existsSync(file)) {
    throw new Error(`${file} is there. Recorded histories are never rewritten: record a new version.`);
  }
  mkdirSync(`${FOLDER}/${version}`, { recursive: true });
  writeFileSync(file, `${JSON.stringify(await played(scenario), null, 2)}\n`, { flag: 'wx' });
}

async function played({ name, documents, input, steps, lasts }: Scenario): Promise<History> {
  const store = new InMemoryRunStore();
  const player = new Player(store);
  await player.open();
  const ids: string[] = [];
  for (const yaml of documents) ids.push((await player.engine.workflows.register({ yaml })).workflowId);
  const [workflowId = ''] = ids;
  const { runId } = await player.engine.runs.start({ workflowId, input });
  const taken: TakenStep[] = [];
  for (const step of steps) {
    await player.passTo(step.at);
    const afterAppends = (await appendsOf(store)).length;
    await player.take(step, { workflowId, runId });
    taken.push({ ...step, afterAppends, answeredAfter: (await appendsOf(store)).length });
  }
  await player.passTo(lasts);
  const appends = await appendsOf(store);
  const ends = await endsOf(player, store, [...new Set(appends.map((append) => append.runId))]);
  const definitions = await definitionsOf(
    store,
    appends.flatMap(({ events }) => events),
  );
  await player.close();
  const history = { name, definitions, runId, appends, steps: taken, lasts, ends, otherwiseAfter: {} };
  return { ...history, otherwiseAfter: await otherwiseAfter(history) };
}

/** As a file gives it back. */
function stored(one: Played): unknown {
  return JSON.parse(JSON.stringify(one));
}

async function otherwiseAfter(history: History): Promise<History['otherwiseAfter']> {
  const otherwise: Record<number, Played> = {};
  for (let cut = 1; cut <= history.appends.length; cut++) {
    const replayed = await replay(history, cut, new InMemoryRunStore());
    if (!isDeepStrictEqual(stored(replayed), stored(recordedFrom(history, cut)))) otherwise[cut] = replayed;
  }
  return otherwise;
}

async function appendsOf(store: RunStore): Promise<History['appends']> {
  const log = await store.readAll({ afterPosition: 0, limit: 10_000 });
  return log.flatMap((entry) =>
    entry.kind === 'appended' ? [{ runId: entry.runId, events: entry.events }] : [],
  );
}

async function definitionsOf(store: RunStore, events: readonly StoredEvent[]): Promise<StoredDefinition[]> {
  const hashes = events.flatMap((event) =>
    'definitionHash' in event ? [event.definitionHash as string] : [],
  );
  const definitions: StoredDefinition[] = [];
  for (const hash of new Set(hashes)) {
    const definition = await store.readDefinition({ namespace: DEFAULT_NAMESPACE, hash });
    if (definition !== null) definitions.push(definition);
  }
  return definitions;
}
