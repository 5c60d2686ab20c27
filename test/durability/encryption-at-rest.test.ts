import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence } from '../support/engine.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';

const encryptionKey = new Uint8Array(32).fill(7);
/** Each secret is used at one location only; none is a part of another. */
const SECRET = {
  bindingHeader: 'Bearer bQ7header',
  endpointUser: 'uS3r',
  endpointPassword: 'pAssw0rd-of-endpoint',
  endpointQuery: 'kEy-in-query',
  literalHeader: 'lIteral-beside-an-expression',
  mixedHeader: 'mIxed-with-an-expression',
  ownPassword: 'pAssw0rd-of-config',
  ownQuery: 'oWn-key-in-query',
  settled: 'sEttings-without-expression',
} as const;

const engines = new DurableEngines();
let server: UnitServer;
beforeEach(async () => {
  server = await startUnitServer({ status: 503, headers: { 'retry-after': '5' } });
});
afterEach(async () => {
  await engines.clear();
  await server.close();
});

const withCredentials = (user: string, password: string, query: string): string =>
  `${server.url.replace('://', `://${user}:${password}@`)}/call?key=${query}`;

function documentWithSecrets(): string {
  const retry = { policyOverrides: { retry: { maxAttempts: 3, backoff: 'fixed', baseMs: 5_000 } } };
  const own = withCredentials('own', SECRET.ownPassword, SECRET.ownQuery);
  return inSequence('calls', [
    { id: 'bound', uses: 'acme.bound', ...retry },
    { id: 'gate', uses: 'builtin.approval' },
    {
      id: 'expressed',
      uses: 'builtin.http',
      config: {
        endpoint: own,
        headers: {
          'x-literal': SECRET.literalHeader,
          'x-mixed': `${SECRET.mixedHeader}-\${{ input.tenant }}`,
        },
      },
      ...retry,
    },
    {
      id: 'plain',
      uses: 'builtin.http',
      config: { endpoint: own, headers: { 'x-plain': SECRET.settled } },
    },
  ]);
}

const bindings = () => ({
  'acme.bound': {
    type: 'http',
    endpoint: withCredentials(SECRET.endpointUser, SECRET.endpointPassword, SECRET.endpointQuery),
    headers: { authorization: SECRET.bindingHeader },
  },
});

/** The names of the secrets that any file of the folder holds, as they are or in base64. */
function foundIn(folder: string): readonly string[] {
  const bytes = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
  return Object.entries(SECRET).flatMap(([name, secret]) => {
    const forms = [secret, Buffer.from(secret).toString('base64').slice(0, -4)];
    return bytes.some((file) => forms.some((form) => file.includes(form))) ? [name] : [];
  });
}

/** Plays a run that calls every unit, the last of them after a restart and in the middle of a back-off. */
async function played(key: Uint8Array | null) {
  const folder = engines.folder();
  const options = { encryptionKey: key };
  const first = await engines.open(folder, {}, options);
  await first.engine.workflows.register({ yaml: documentWithSecrets(), bindings: bindings() });
  const { runId } = await first.engine.runs.start({
    workflowId: 'calls',
    input: { tenant: 'acme', filler: 'x'.repeat(70_000) },
  });
  const address = { workflowId: 'calls', runId };
  await server.received(1);
  server.answer({ body: { content: 'ok' } });
  await until(async () => {
    await first.clock.advance(5_000);
    return (await first.engine.runs.get(address)).status === 'paused';
  }, 'the gate is open');
  server.answer({ status: 503 });
  const waiting = first.engine.gates.respond({ ...address, approved: true, responder: 'ann' });
  await server.received(3);
  const whileRunning = foundIn(folder);
  await first.engine.close();
  await waiting.catch(() => null);

  server.answer({ body: { content: 'ok' } });
  const second = await engines.open(folder, {}, { ...options, now: first.clock.now() });
  await until(async () => {
    await second.clock.advance(5_000);
    return (await second.engine.runs.get(address)).status === 'completed';
  }, 'the run is completed');
  await second.engine.close();
  return { whileRunning, afterwards: foundIn(folder), folder, runId };
}

describe('a data folder with an encryption key', () => {
  it('holds no credential of a binding or a unit in any byte of any file', async () => {
    const { whileRunning, afterwards } = await played(encryptionKey);
    expect([whileRunning, afterwards]).toEqual([[], []]);
  });

  it('has the units called with what was encrypted, also by the next process', async () => {
    await played(encryptionKey);
    const expressed = server.requests.filter(({ headers }) => headers['x-literal'] !== undefined);
    expect(expressed.length).toBeGreaterThan(1);
    for (const { headers, url } of expressed) {
      expect(headers).toMatchObject({
        'x-literal': SECRET.literalHeader,
        'x-mixed': `${SECRET.mixedHeader}-acme`,
        authorization: `Basic ${Buffer.from(`own:${SECRET.ownPassword}`).toString('base64')}`,
      });
      expect(url).toContain(SECRET.ownQuery);
    }
    const [bound] = server.requests;
    expect([bound!.headers['authorization'], bound!.url.includes(SECRET.endpointQuery)]).toEqual([
      SECRET.bindingHeader,
      true,
    ]);
  });

  it('pauses runs with encrypted values, and says so, where the key is another one', async () => {
    const { folder, runId } = await played(encryptionKey);
    const { engine } = await engines.open(folder, {}, { encryptionKey: new Uint8Array(32).fill(8) });
    const address = { workflowId: 'calls', runId };
    await expect(engine.runs.resume(address)).rejects.toThrow('FLOWGATE_ENCRYPTION_KEY');
  });

  it('finds these secrets where there is no key, so that this test could see them', async () => {
    const { afterwards } = await played(null);
    expect([...afterwards].sort()).toEqual(Object.keys(SECRET).sort());
  });
});
