// Three replicas on one PostgreSQL, behind a balancer; one is killed while it works. `npm run demo:replicas`.
// Uses the database of FLOWGATE_DATABASE_URL, or finds PostgreSQL on this machine, or installs it, and starts one of its own.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../tools/postgres/server.mjs';
import { startBalancer } from './balancer.mjs';
import { startUnits } from './unit.mjs';

const RUNS = 30;
const NAMES = ['replica-north', 'replica-south', 'replica-west'];
const STEPS = ['pack', 'ship'];
const main = resolve(
  process.env.FLOWGATE_PACKAGE ?? fileURLToPath(new URL('../..', import.meta.url)),
  'dist/main.js',
);

const given = process.env.FLOWGATE_DATABASE_URL ?? '';
const database = given === '' ? await startPostgres() : null;
const units = await startUnits();
const children = new Map();
const addresses = new Set();
const balancer = await startBalancer(addresses);
try {
  await play();
} finally {
  for (const child of children.values()) child.kill('SIGKILL');
  balancer.stop();
  units.stop();
  await database?.stop();
}

async function play() {
  const urls = await Promise.all(NAMES.map(startReplica));
  for (const url of urls) addresses.add(url);
  console.log(`three replicas behind ${balancer.url}`);

  const yaml = await readFile(new URL('workflow.yaml', import.meta.url), 'utf8');
  // One of them is told; all know it from then on.
  await ask('/workflows/from-yaml', { yaml, bindings: units.bindings });
  const starts = Array.from({ length: RUNS }, () => ask('/workflows/shipment/runs', { input: {} }));
  const runs = (await Promise.all(starts)).map(({ runId }) => runId);

  const victim = await busiest();
  const count = units.calledBy(victim);
  children.get(victim).kill('SIGKILL');
  const killedAt = Date.now();
  console.log(`killed ${victim}, which had ${count} of the runs in flight`);

  let records = [];
  do {
    await delay(50);
    records = await Promise.all(runs.map((runId) => ask(`/workflows/shipment/runs/${runId}`)));
  } while (records.some(({ status }) => status === 'pending' || status === 'running'));
  const wrong = records.filter(
    ({ status, result }) => status !== 'completed' || result.tokenUsage !== STEPS.length,
  );
  if (wrong.length > 0) throw new Error(`These did not end as they should: ${JSON.stringify(wrong)}`);
  if (units.keys.size !== RUNS * STEPS.length)
    throw new Error(`There were ${units.keys.size} steps, and should have been ${RUNS * STEPS.length}.`);
  console.log(`the others took them up: all ${RUNS} runs completed, no step counted twice`);
  console.log(`${Date.now() - killedAt} ms after the kill the last of them had ended`);
}

/** A process of the service; resolves with its address, once it listens. */
async function startReplica(name) {
  const env = {
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    FLOWGATE_STORE: 'postgres',
    FLOWGATE_DATABASE_URL: database?.url() ?? given,
    FLOWGATE_SECRET_REPLICA: name,
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.set(name, child);
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listens on (http:\/\/[^\s"]+)/.exec(line)?.[1];
    if (url === undefined) continue;
    // Nobody reads on: what it says from here on must not fill the pipe.
    setImmediate(() => child.stdout.resume());
    return url;
  }
  throw new Error(`${name} ended before it listened.`);
}

/** The one that has most in flight, as soon as there is some. */
async function busiest() {
  for (;;) {
    const [busy] = NAMES.toSorted((a, b) => units.calledBy(b) - units.calledBy(a));
    if (units.calledBy(busy) > 0) return busy;
    await delay(5);
  }
}

/** One request to the balancer, repeated under the same key while no replica can take it. */
async function ask(path, body) {
  const request = {
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  };
  for (;;) {
    const response = await fetch(balancer.url + path, request);
    const answer = await response.text();
    if (response.ok) return JSON.parse(answer);
    if (response.status !== 503) throw new Error(`${response.status}: ${answer}`);
    await delay(50);
  }
}
