// `npm run bench:lists -- [RUNS] [FOLDER] [ROUNDS]`: how long a page of runs takes, by each filter and each pair of filters, among a
// million runs on SQLite. A folder that has runs is taken as it is. Not measured: HTTP, writes meanwhile, a cold disk.
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type ListRunsRequest } from '../dist/engine/index.js';
import { SqliteMemoryIndex, SqliteRunStore } from '../dist/index.js';
import { hashOf, makeRuns, REGIONS, runOf, TEAMS, VERSIONS, WORKFLOWS } from './support/million-runs.ts';

import { percentile } from './support/statistics.ts';

const count = Number(process.argv[2] ?? 1_000_000);
const folder = process.argv[3] ?? mkdtempSync(join(tmpdir(), 'flowgate-lists-'));
const ROUNDS = Number(process.argv[4] ?? 100);
const BOUND_MS = 20;
const WARM_UP = 10;
/** Before the first of them: the code is not compiled yet, and nothing of the file read. */
const FIRST_PAGES = 300;

const any = (n: number): number => Math.floor(n * Math.random());
const some = (): { readonly runId: string; readonly createdAt: number } => runOf(any(count), count);

/** Each of them with other values every time: of what there is much, of what there is little. */
const filters: Readonly<Record<string, () => ListRunsRequest>> = {
  workflowId: () => ({ workflowId: `flow-${any(WORKFLOWS)}` }),
  'status (rare)': () => ({ status: [(['running', 'paused', 'failed'] as const)[any(3)]!] }),
  'status (several)': () => ({ status: ['failed', 'paused', 'pending'] }),
  'status (completed)': () => ({ status: ['completed', 'failed'] }),
  'label (much)': () => ({ labels: { region: `r${any(REGIONS)}` } }),
  'label (some)': () => ({ labels: { team: `t${any(TEAMS)}` } }),
  'label (one)': () => ({ labels: { ticket: `k${any(count)}` } }),
  createdAfter: () => ({ createdAfter: some().createdAt }),
  createdBefore: () => ({ createdBefore: some().createdAt }),
  openGate: () => ({ openGate: true }),
  gateUnit: () => ({ gateUnit: `unit-${any(11)}` }),
  'cancelled (true)': () => ({ cancelled: true }),
  'cancelled (false)': () => ({ cancelled: false }),
  'origin (rare)': () => ({ origin: (['child', 'fork', 'import'] as const)[any(3)]! }),
  'origin (client)': () => ({ origin: 'client' }),
  forkedFrom: () => ({ forkedFrom: some().runId }),
  definitionHash: () => ({ definitionHash: hashOf(any(WORKFLOWS), any(VERSIONS)) }),
  'id (narrow)': () => ({ idPrefix: some().runId.slice(0, 9) }),
  'id (wide)': () => ({ idPrefix: some().runId.slice(0, 6) }),
};

if (!existsSync(join(folder, 'runs.db'))) {
  const store = new SqliteRunStore({ folder });
  await store.open();
  await store.close();
  const before = performance.now();
  makeRuns(join(folder, 'runs.db'), count);
  console.error(`${count} runs in ${folder}: ${Math.round((performance.now() - before) / 1_000)} s to make`);
}

const engine = createEngine({
  store: new SqliteRunStore({ folder }),
  memory: new SqliteMemoryIndex({ folder }),
});
await engine.open();
for (let page = 0; page < FIRST_PAGES; page++) await engine.runs.list({ createdBefore: some().createdAt });

const names = Object.keys(filters);
const rows: Awaited<ReturnType<typeof measured>>[] = [await measured('none', () => ({}))];
for (const [index, one] of names.entries()) {
  rows.push(await measured(one, filters[one]!));
  for (const other of names.slice(index + 1)) {
    if (one.split(' ')[0] === other.split(' ')[0] && one.split(' ')[0] !== 'label') continue;
    const both = (): ListRunsRequest => {
      const [a, b] = [filters[one]!(), filters[other]!()];
      return { ...a, ...b, ...(a.labels && b.labels ? { labels: { ...a.labels, ...b.labels } } : {}) };
    };
    rows.push(await measured(`${one} + ${other}`, both));
  }
}
await engine.close();

for (const { name, p50, p99, cpuP99, found } of rows) {
  const figures = [p50, p99, cpuP99].map((ms) => ms.toFixed(1).padStart(6));
  console.log(
    `${name.padEnd(40)} p50 ${figures[0]} ms  p99 ${figures[1]} ms  p99 of CPU ${figures[2]} ms  ${found.toFixed(0).padStart(3)} found`,
  );
}
for (const [what, of] of [
  ['p99', (row: (typeof rows)[number]) => row.p99],
  ['p99 of CPU', (row: (typeof rows)[number]) => row.cpuP99],
] as const) {
  const slow = rows.filter((row) => of(row) >= BOUND_MS);
  console.log(
    `\n${slow.length} of ${rows.length} filters and pairs have a ${what} of ${BOUND_MS} ms or more:`,
  );
  for (const row of slow) console.log(`  ${row.name} ${of(row).toFixed(1)} ms`);
}

/** A page of 50; every second one begins somewhere in the middle. */
async function measured(name: string, make: () => ListRunsRequest) {
  const times: number[] = [];
  const cpuTimes: number[] = [];
  let found = 0;
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const request = make();
    const middle =
      round % 2 === 0 && request.createdBefore === undefined ? { createdBefore: some().createdAt } : {};
    const before = performance.now();
    const cpuBefore = process.cpuUsage();
    const { items } = await engine.runs.list({ ...request, ...middle });
    if (round < 0) continue;
    times.push(performance.now() - before);
    const { user, system } = process.cpuUsage(cpuBefore);
    cpuTimes.push((user + system) / 1_000);
    found += items.length;
  }
  return {
    name,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpuP99: percentile(cpuTimes, 0.99),
    found: found / ROUNDS,
  };
}
