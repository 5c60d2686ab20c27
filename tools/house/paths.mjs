// Which files a request, an outcome, a decision, a fork, a stream and an append go through: those of whose functions one was
// entered meanwhile, as V8 tells it. The service runs in this process, compiled file by file, with an SQLite store in a folder of its own; what its
// worker threads do is not counted.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve as absolute } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Beside it are the schemas, as in the package. */
const HOUSE = absolute('.tmp/house');
const DIST = join(HOUSE, 'dist');
const TSC = absolute('node_modules/typescript/bin/tsc');
/** The work in the background enters files now and then; what each of so many rounds enters is the path's own. */
const ROUNDS = 9;
/** What follows an ended run (its families, its marks, lists) is over when nothing was entered for so long. */
const QUIET_MS = 100;
const MOST_MS_TO_QUIET = 10_000;

/** An endpoint that answers a call only when it is told to. */
async function startEndpoint() {
  const waiting = [];
  const calls = [];
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      const answer = () => response.setHeader('content-type', 'application/json').end('{"output":1}');
      const taker = waiting.shift();
      if (taker === undefined) calls.push(answer);
      else taker(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** Resolves with what answers the next call. */
    next: () => calls.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    close: () => server.close(),
  };
}

const document = (id, units, order) =>
  JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id },
    spec: { units, flow: { type: 'sequential', order } },
  });

/** What is built for the package has many sources in one file. */
function compile() {
  rmSync(HOUSE, { recursive: true, force: true });
  cpSync('schemas', join(HOUSE, 'schemas'), { recursive: true });
  const quick = ['--noCheck', '--declaration', 'false'];
  execFileSync(process.execPath, [TSC, '-p', 'tsconfig.build.json', '--outDir', DIST, ...quick], {
    stdio: 'inherit',
  });
}

export async function paths() {
  compile();
  const folder = mkdtempSync(join(tmpdir(), 'flowgate-house-'));
  const endpoint = await startEndpoint();
  const { readConfig } = await import(pathToFileURL(join(DIST, 'config/service/read-config.js')).href);
  const { createService } = await import(pathToFileURL(join(DIST, 'app.module.js')).href);
  const { config } = readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    FLOWGATE_STORE: 'sqlite',
    FLOWGATE_DATA_DIR: folder,
  });
  const app = await createService(config);
  await app.init();
  const server = app.getHttpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  try {
    return await measured({ url, endpoint, session });
  } finally {
    session.disconnect();
    await app.close();
    endpoint.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured({ url, endpoint, session }) {
  const call = async (method, path, body, accept = 'application/json') => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { accept, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const response = await fetch(`${url}${path}`, { method, headers, ...sent });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  };
  const post = async (path, body) => JSON.parse(await call('POST', path, body));
  const register = (yaml, bindings) => post('/workflows/from-yaml', { yaml, bindings });
  const remote = { remote: { type: 'http', endpoint: endpoint.url } };
  const mock = { id: 'b', uses: 'builtin.mock' };
  await register(document('short', [{ id: 'a', uses: 'builtin.mock' }, mock], ['a', 'b']));
  await register(
    document(
      'calls',
      [
        { id: 'a', uses: 'remote' },
        { id: 'b', uses: 'remote' },
      ],
      ['a', 'b'],
    ),
    remote,
  );
  await register(
    document(
      'gated',
      [
        { id: 'a', uses: 'builtin.approval' },
        { id: 'b', uses: 'remote' },
      ],
      ['a', 'b'],
    ),
    remote,
  );

  const record = async (work) => {
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    return result
      .filter(({ url: file }) => file.startsWith('file:') && fileURLToPath(file).startsWith(`${DIST}/`))
      .filter(({ functions }) =>
        functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0),
      )
      .map(({ url: file }) => relative(DIST, fileURLToPath(file)));
  };

  /** So that what is recorded next has nothing of what an ended run leaves to the background, however slow the machine is. */
  const settled = async () => {
    const end = performance.now() + MOST_MS_TO_QUIET;
    while (performance.now() < end) {
      const entered = await record(() => sleep(QUIET_MS));
      if (entered.length === 0) return;
    }
  };

  const start = (workflowId) => post(`/workflows/${workflowId}/runs`, {});
  const runPaths = {
    async request() {
      return record(() => post('/workflows/short/runs', { sync: true }));
    },
    async outcome() {
      await start('calls');
      const answer = await endpoint.next();
      let second;
      const files = await record(async () => {
        answer();
        second = await endpoint.next();
      });
      second();
      return files;
    },
    async decision() {
      const { runId } = await post('/workflows/gated/runs', { sync: true });
      let next;
      const files = await record(async () => {
        const decided = post(`/workflows/gated/runs/${runId}/hitl`, { approved: true });
        next = await endpoint.next();
        await Promise.race([decided, null]);
      });
      next();
      return files;
    },
    async fork() {
      const { runId } = await post('/workflows/short/runs', { sync: true });
      return record(() => post(`/workflows/short/runs/${runId}/fork`, { sync: true }));
    },
    async stream() {
      const { runId } = await post('/workflows/short/runs', { sync: true });
      await settled();
      return record(() =>
        call('GET', `/workflows/short/runs/${runId}/events`, undefined, 'text/event-stream'),
      );
    },
  };

  const found = {};
  for (const [name, path] of Object.entries(runPaths)) {
    let always = await path();
    for (let round = 1; round < ROUNDS; round++) {
      const entered = new Set(await path());
      always = always.filter((file) => entered.has(file));
    }
    found[name] = always.sort();
  }
  found.append = found.request.filter((file) => file.startsWith('storage/'));
  return found;
}
