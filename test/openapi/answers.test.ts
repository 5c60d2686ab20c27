import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { validateSync } from 'class-validator';
import { parseBindings } from '../../src/engine/units/http/binding.js';
import { BindingDto } from '../../src/workflows/dto/binding.dto.js';
import { startService, type Answer, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

const published = JSON.parse(readFileSync('schemas/openapi.json', 'utf8')) as {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};
const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ $id: 'flowgate', ...published });

/** What is wrong with an answer, by the schema of that name. */
function faultsIn({ body }: Answer, name: string): unknown {
  const validate = ajv.compile({ $ref: `flowgate#/components/schemas/Flowgate${name}` });
  return validate(body) ? null : validate.errors;
}

// Schemathesis asks for what is answered at once: these take long, or are long.
describe('an answer that takes long, or is long, is of its schema:', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ FLOWGATE_RESUME_WAIT_MS: '300', FLOWGATE_SHUTDOWN_GRACE_MS: '0' });
    await service.register(document('slow', [mock('a', 1, { config: { delayMs: 400 } }), gate('g')]));
    await service.register(document('stuck', [gate('g'), mock('b', 1, { config: { delayMs: 100_000 } })]));
  });
  afterAll(() => service.close());

  it('a start that waits for the run', async () => {
    const answer = await service.post('/workflows/slow/runs', { sync: true });
    expect([answer.status, answer.body.status, faultsIn(answer, 'RunRecord')]).toEqual([202, 'paused', null]);
  });

  it('a decision that waits, and answers while the run continues', async () => {
    const { runId } = await service.start('stuck');
    const answer = await service.post(`/workflows/stuck/runs/${runId}/hitl`, { approved: true });
    expect([answer.status, answer.body.status, faultsIn(answer, 'RunRecord')]).toEqual([
      200,
      'running',
      null,
    ]);
  });

  it('records and pages of megabytes, which are streamed', async () => {
    const input = { list: Array.from({ length: 200_000 }, (_, n) => `entry ${n}`) };
    const { runId } = await service.start('slow', { input, sync: true });
    const run = `/workflows/slow/runs/${runId}`;
    const record = await service.get(run);
    expect([record.text.length > 2_000_000, faultsIn(record, 'RunRecord')]).toEqual([true, null]);
    const { snapshots } = (await service.get(`${run}/snapshots`)).body;
    const state = await service.get(`${run}/snapshots/${snapshots[0].snapshotId}`);
    expect([state.text.length > 2_000_000, faultsIn(state, 'Snapshot')]).toEqual([true, null]);
    expect(faultsIn(await service.get(`${run}/messages`), 'MessageList')).toBe(null);
  });
});

// What the engine refuses of bindings is documented by a class that it does not know.
describe('a binding is refused by the engine where its class refuses it:', () => {
  const OF_HTTP = { type: 'http', endpoint: 'http://127.0.0.1:9000/' };
  it.each<[string, object]>([
    ['nothing but what is required', OF_HTTP],
    ['headers', { ...OF_HTTP, headers: { 'x-a': 'b' } }],
    [
      'nulls for what is optional',
      { ...OF_HTTP, headers: null, callback: null, signingSecret: null, timeoutMs: null },
    ],
    ['no type', { endpoint: OF_HTTP.endpoint }],
    ['another type', { ...OF_HTTP, type: 'grpc' }],
    ['no endpoint', { type: 'http' }],
    ['an endpoint of another protocol', { ...OF_HTTP, endpoint: 'ftp://127.0.0.1/' }],
    ['an endpoint with a space', { ...OF_HTTP, endpoint: 'http://127.0.0.1/a b' }],
    ['an endpoint that is too long', { ...OF_HTTP, endpoint: `http://127.0.0.1/${'x'.repeat(8_192)}` }],
    ['headers that are a text', { ...OF_HTTP, headers: 'x' }],
    ['a callback that is a text', { ...OF_HTTP, callback: 'yes' }],
    ['an empty secret', { ...OF_HTTP, signingSecret: '' }],
    ['a secret that is too long', { ...OF_HTTP, signingSecret: 'x'.repeat(1_025) }],
    ['a time of nothing', { ...OF_HTTP, timeoutMs: 0 }],
    ['a part of a millisecond', { ...OF_HTTP, timeoutMs: 1.5 }],
    ['more than a day', { ...OF_HTTP, timeoutMs: 86_400_001 }],
  ])('%s', (_what, binding) => {
    const isOfClass = validateSync(Object.assign(new BindingDto(), binding)).length === 0;
    expect(parseBindings({ 'acme.unit': binding }).ok).toBe(isOfClass);
  });
});
