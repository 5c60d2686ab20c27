import type { HostRequest } from '../../src/index.js';
import { builtDocumentWorker } from '../support/built-document-worker.js';
import { startHosted } from '../support/hosted-service.js';
import { document, mock } from '../support/workflow-documents.js';
import type { Service } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  const actor = ({ headers }: HostRequest) => headers['x-person']?.toString();
  service = await startHosted({ actor, documentWorker: builtDocumentWorker });
});
afterAll(() => service.close());

const unitsOf = (count: number, said = 'ok') =>
  Array.from({ length: count }, (_, n) => mock(`unit${n}`, `${said} ${n}`));
const LONG = document('long', unitsOf(1_000));
/** A document that is longer than what is compiled at once. */
const MIDDLING = document('middling', unitsOf(300));
const greedy = { 'x-person': 'greedy' };
const ada = { 'x-person': 'ada' };

/** How many of the calls are done when the last one is. */
async function doneBefore(many: readonly Promise<unknown>[], one: Promise<unknown>): Promise<number> {
  let done = 0;
  for (const each of many) void each.then(() => (done += 1));
  await one;
  return done;
}

describe('while one principal has many long documents checked', () => {
  it('others validate and register theirs', async () => {
    const many = Array.from({ length: 8 }, () => service.post('/workflows/validate', { yaml: LONG }, greedy));
    const mine = (async () => {
      const checked = await service.post('/workflows/validate', { yaml: MIDDLING }, ada);
      const registered = await service.post('/workflows/from-yaml', { yaml: MIDDLING }, ada);
      expect([checked.body.ok, registered.status]).toEqual([true, 201]);
    })();
    expect(await doneBefore(many, mine)).toBeLessThan(6);
    for (const { status } of await Promise.all(many)) expect(status).toBe(200);
  }, 60_000);
});

it('long versions are compared fairly between callers', async () => {
  const hashes: string[] = [];
  for (const said of ['one', 'two']) {
    await service.post('/workflows/from-yaml', { yaml: document('versions', unitsOf(600, said)) }, greedy);
    hashes.unshift((await service.get('/workflows/versions')).body.definitionHash as string);
    await service.start('versions');
  }
  const path = `/workflows/versions/diff?from=${hashes[1]}&to=${hashes[0]}`;
  const diff = (person: string) => service.call('GET', path, { headers: { 'x-person': person } });
  const many = Array.from({ length: 8 }, () => diff('greedy'));
  const mine = diff('ada');
  expect(await doneBefore(many, mine)).toBeLessThan(6);
  expect((await mine).status).toBe(200);
  await Promise.all(many);
}, 120_000);

describe('while one principal starts workflows whose inputs take long to check', () => {
  /** Each item takes the check through all of these: it takes longer by far than to read the body. */
  const alternatives = Array.from({ length: 8 }, (_, n) => ({ type: 'number', minimum: n + 2 }));
  const items = { anyOf: [...alternatives, { type: 'number' }] };
  const schema = { type: 'object', properties: { x: { type: 'array', items } } };
  const long = { input: { x: Array.from({ length: 200_000 }, () => 1) } };
  const register = (id: string, person: Record<string, string>) =>
    service.post('/workflows/from-yaml', { yaml: document(id, unitsOf(1), { input: schema }) }, person);

  it('others start and fork theirs, however many workflows that principal has', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `greedy${n}`);
    for (const id of ids) await register(id, greedy);
    await register('mine', ada);
    const { body: short } = await service.post('/workflows/mine/runs', { input: {} }, ada);
    const many = ids.map((id) => service.post(`/workflows/${id}/runs`, long, greedy));
    const mine = (async () => {
      const started = await service.post('/workflows/mine/runs', long, ada);
      const forked = await service.post(`/workflows/mine/runs/${String(short.runId)}/fork`, long, ada);
      expect([started.status, forked.status]).toEqual([202, 202]);
    })();
    // Two of them, one after the other, behind none but those that were done while their bodies came.
    expect(await doneBefore(many, mine)).toBeLessThan(many.length);
    for (const { status } of await Promise.all(many)) expect(status).toBe(202);
  }, 60_000);
});
