import { EnvironmentSecrets, InMemoryRunStore } from '../../src/engine/index.js';
import { startUnitServer } from '../support/unit-server.js';
import { inSequence, openEngine } from '../support/engine.js';

const secrets = {
  read: async ({ name }: { readonly name: string }) => (name === 'TOKEN' ? 'hunter2hunter2' : null),
};
const yaml = inSequence('pay', [{ id: 'pay', uses: 'acme.pay', config: { account: 'acc-${secret:TOKEN}' } }]);

describe('a secret by reference', () => {
  it('reaches the unit in its headers and config, and nothing else', async () => {
    const server = await startUnitServer({ body: { content: 'ok' } });
    const store = new InMemoryRunStore();
    const { engine } = await openEngine({}, { secrets, store });
    const bindings = {
      'acme.pay': {
        type: 'http',
        endpoint: server.url,
        headers: { authorization: 'Bearer ${secret:TOKEN}' },
      },
    };
    await engine.workflows.register({ yaml, bindings });
    const record = await engine.runs.start({ workflowId: 'pay', sync: true });
    expect(record.status).toBe('completed');
    const [request] = server.requests;
    expect(request!.headers['authorization']).toBe('Bearer hunter2hunter2');
    expect(JSON.stringify(request!.body)).toContain('acc-hunter2hunter2');
    const events = await store.readEvents({ runId: record.runId, afterSeq: 0, limit: 100 });
    const definition = await store.readDefinition({
      namespace: 'default',
      hash: (await engine.workflows.list())[0]!.definitionHash,
    });
    expect(JSON.stringify([record, events, definition])).not.toContain('hunter2');
    await server.close();
  });

  it('is not in an error that echoes it', async () => {
    const server = await startUnitServer({ status: 400, body: 'bad account acc-hunter2hunter2' });
    const { engine } = await openEngine({}, { secrets });
    await engine.workflows.register({
      yaml,
      bindings: { 'acme.pay': { type: 'http', endpoint: server.url } },
    });
    const record = await engine.runs.start({ workflowId: 'pay', sync: true });
    expect(record.error).toContain('HTTP 400');
    expect(record.error).not.toContain('hunter2');
    await server.close();
  });

  it('fails the unit by name when it is not set', async () => {
    const { engine } = await openEngine({ work: () => 1 }, { secrets });
    await engine.workflows.register({
      yaml: inSequence('w', [{ id: 'a', uses: 'work', config: { key: '${secret:NOPE}' } }]),
    });
    const record = await engine.runs.start({ workflowId: 'w', sync: true });
    expect(record.error).toContain('the secret NOPE is not set: set FLOWGATE_SECRET_NOPE or mount it');
  });
});

describe('a secret that is bound to hosts', () => {
  const environment = {
    FLOWGATE_SECRET_TOKEN: 'hunter2hunter2',
    FLOWGATE_SECRET_OTHER: 'other-secret',
    FLOWGATE_SECRET_HOSTS_TOKEN: 'units.example.com, localhost',
  };
  const open = (units = {}) =>
    openEngine(units, { secrets: new EnvironmentSecrets({ environment, folder: null }) });
  const headers = { authorization: 'Bearer ${secret:TOKEN}' };

  it('is sent there, and to no other host', async () => {
    const server = await startUnitServer({ body: { content: 'ok' } });
    const { engine } = await open();
    const at = async (endpoint: string) => {
      await engine.workflows.register({
        yaml,
        bindings: { 'acme.pay': { type: 'http', endpoint, headers } },
      });
      return engine.runs.start({ workflowId: 'pay', sync: true });
    };
    expect(await at(`http://localhost:${server.port}/`)).toMatchObject({ status: 'completed' });
    expect(server.requests[0]!.headers['authorization']).toBe('Bearer hunter2hunter2');
    expect((await at(`${server.url}/steal?now=1`)).error).toBe(
      "Unit pay failed after 1 attempt(s): the secret TOKEN may not be sent to 127.0.0.1: add the host to FLOWGATE_SECRET_HOSTS_TOKEN, or change the unit's endpoint",
    );
    expect(server.requests).toHaveLength(1);
    await server.close();
  });

  it('is not sent where an input says, nor does an input name another one', async () => {
    const server = await startUnitServer({ body: { content: 'ok' } });
    const { engine } = await open();
    const config = { endpoint: '${{ input.to }}', headers: { ...headers, 'x-note': '${{ input.note }}' } };
    await engine.workflows.register({
      yaml: inSequence('call', [{ id: 'a', uses: 'builtin.http', config }]),
    });
    const start = (to: string) =>
      engine.runs.start({ workflowId: 'call', input: { to, note: '${secret:OTHER}' }, sync: true });
    expect((await start(server.url)).error).toContain('the secret TOKEN may not be sent to 127.0.0.1');
    expect(await start(`http://localhost:${server.port}/`)).toMatchObject({ status: 'completed' });
    expect(server.requests[0]!.headers['x-note']).toBe('${secret:OTHER}');
    expect(server.requests).toHaveLength(1);
    await server.close();
  });

  it('is not given to code of this process', async () => {
    const { engine } = await open({ 'acme.pay': () => 'called' });
    await engine.workflows.register({ yaml });
    const record = await engine.runs.start({ workflowId: 'pay', sync: true });
    expect(record.error).toContain(
      'TOKEN is bound to hosts by FLOWGATE_SECRET_HOSTS_TOKEN, and this unit is called at none',
    );
  });
});

it('a secret is masked in what code of this process returns', async () => {
  const { engine } = await openEngine(
    { 'acme.pay': ({ context }) => ({ content: { got: context.config } }) },
    { secrets },
  );
  await engine.workflows.register({ yaml });
  const record = await engine.runs.start({ workflowId: 'pay', sync: true });
  expect(record.result?.state['output.pay']).toEqual({ got: { account: 'acc-***' } });
});

describe('a literal header value', () => {
  const bindings = {
    'acme.pay': {
      type: 'http',
      endpoint: 'http://127.0.0.1:9/',
      headers: { authorization: 'Bearer literal-token' },
    },
  };
  const gated = inSequence('gated', [
    { id: 'gate', uses: 'builtin.approval' },
    { id: 'pay', uses: 'acme.pay', policyOverrides: { retry: { maxAttempts: 1 } } },
  ]);

  it('is encrypted at rest with a key, and opened for the runs that are pinned to it', async () => {
    const store = new InMemoryRunStore();
    store.close = async () => undefined;
    const encryptionKey = new Uint8Array(32).fill(7);
    const first = await openEngine({}, { store, encryptionKey });
    await first.engine.workflows.register({ yaml: gated, bindings });
    const { runId } = await first.engine.runs.start({ workflowId: 'gated', sync: true });
    const hash = (await first.engine.workflows.list())[0]!.definitionHash;
    expect(JSON.stringify(await store.readDefinition({ namespace: 'default', hash }))).not.toMatch(
      /literal-token|acme\.pay.*uses/,
    );
    await first.engine.close();

    const second = await openEngine({}, { store, encryptionKey });
    const address = { workflowId: 'gated', runId };
    const record = await second.engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    expect(record.error).toContain('Unit pay failed after 1 attempt(s)');

    const third = await openEngine({}, { store });
    await expect(third.engine.runs.resume(address)).rejects.toThrow('FLOWGATE_ENCRYPTION_KEY');
  });
});
