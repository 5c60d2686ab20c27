import { readFileSync } from 'node:fs';
import { FlowgateClient } from 'flowgate-client';
import { REQUESTS } from '../src/calls/request-bounds.js';

const { components } = JSON.parse(readFileSync('schemas/openapi.json', 'utf8')) as {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, object>> }>>;
  };
};
const fieldsOf = (name: string) => Object.keys(components.schemas[`Flowgate${name}`]?.properties ?? {});

let asked: number;
/** Whoever is asked says nothing that helps: only what comes before that is looked at. */
const client = new FlowgateClient({
  baseUrl: 'http://127.0.0.1:9',
  retries: 0,
  fetch: () => {
    asked++;
    return Promise.reject(new Error('asked'));
  },
});
beforeEach(() => {
  asked = 0;
});

async function isRefusedHere(call: () => Promise<unknown>): Promise<boolean> {
  const error = await call().catch((fault: unknown) => fault);
  return error instanceof TypeError && asked === 0;
}

it.each(Object.keys(REQUESTS).filter((name) => name !== 'Keyed'))(
  'a request has the fields that its DTO has: %s',
  (name) => {
    expect(Object.keys(REQUESTS[name as keyof typeof REQUESTS])).toEqual(fieldsOf(name));
  },
);

describe('what a DTO refuses is refused by the client, before anybody is asked:', () => {
  const { by } = REQUESTS.StopRun;
  const { responder, comment, gateId } = REQUESTS.RespondHitl;
  const { maxTokens, maxCost } = REQUESTS.RunBudget;
  const { occurrence } = REQUESTS.ForkPlace;
  const text = (length: number) => 'x'.repeat(length);

  it.each<readonly [string, boolean, () => Promise<unknown>]>([
    ['the longest by', false, () => client.pause('w', 'r', { by: text(by.maxLength) })],
    ['a longer by', true, () => client.pause('w', 'r', { by: text(by.maxLength + 1) })],
    ['a shorter by', true, () => client.cancel('w', 'r', { by: text(by.minLength - 1) })],
    ['the longest responder', false, () => client.respondHITL('w', 'r', true, text(responder.maxLength))],
    ['a longer responder', true, () => client.respondHITL('w', 'r', true, text(responder.maxLength + 1))],
    [
      'the longest comment',
      false,
      () => client.respondHITL('w', 'r', true, 'ann', { comment: text(comment.maxLength) }),
    ],
    [
      'a longer comment',
      true,
      () => client.respondHITL('w', 'r', true, 'ann', { comment: text(comment.maxLength + 1) }),
    ],
    ['the least gate', false, () => client.respondHITL('w', 'r', true, 'ann', { gateId: gateId.minimum })],
    [
      'what comes before it',
      true,
      () => client.respondHITL('w', 'r', true, 'ann', { gateId: gateId.minimum - 1 }),
    ],
    [
      'the most tokens',
      false,
      () => client.resume('w', 'r', null, { budget: { maxTokens: maxTokens.maximum } }),
    ],
    [
      'fewer tokens than the least',
      true,
      () => client.resume('w', 'r', null, { budget: { maxTokens: maxTokens.minimum - 1 } }),
    ],
    [
      'the highest cost',
      false,
      () => client.resume('w', 'r', null, { budget: { maxCost: maxCost.maximum } }),
    ],
    [
      'a higher cost',
      true,
      () => client.resume('w', 'r', null, { budget: { maxCost: maxCost.maximum * 2 } }),
    ],
    [
      'the first occurrence',
      false,
      () => client.fork('w', 'r', { from: { unitId: 'u', occurrence: occurrence.minimum } }),
    ],
    [
      'an occurrence before it',
      true,
      () => client.fork('w', 'r', { from: { unitId: 'u', occurrence: occurrence.minimum - 1 } }),
    ],
    ...REQUESTS.ForkRun.definition.enum.map(
      (definition) =>
        [`the definition ${definition}`, false, () => client.fork('w', 'r', { definition })] as const,
    ),
    ['another definition', true, () => client.fork('w', 'r', { definition: 'newest' as 'current' })],
  ])('%s: %s', async (_what, isRefused, call) => {
    expect(await isRefusedHere(call)).toBe(isRefused);
  });
});

describe('an argument that cannot be meant is refused before anybody is asked:', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['workflowId must be', () => client.startWorkflow('')],
    ['runId must be', () => client.getRun('w', undefined as never)],
    ['half of a character', () => client.getRun('\ud800', 'r')],
    ['input must be an object', () => client.startWorkflow('w', [1])],
    ['sync must be true or false', () => client.startWorkflow('w', {}, { sync: 'yes' as never })],
    ['approved must be true or false', () => client.respondHITL('w', 'r', 'false' as never)],
    ['responder must be', () => client.respondHITL('w', 'r', true, '')],
    ['by must be', () => client.cancel('w', 'r', { by: '' })],
    ['by must be', () => client.pause('w', 'r', { by: 'x'.repeat(257) })],
    ['runId must be', () => client.cancel('w', undefined as never)],
    ['idempotencyKey must be', () => client.pause('w', 'r', { idempotencyKey: 'ü' })],
    ['budget must be an object', () => client.resume('w', 'r', null, { budget: 7 as never })],
    ['budget.maxTokens must be', () => client.resume('w', 'r', null, { budget: { maxTokens: -1 } })],
    ['budget.maxCost must be', () => client.resume('w', 'r', null, { budget: { maxCost: NaN } })],
    ['no field of budget', () => client.resume('w', 'r', null, { budget: { tokens: 1 } as never })],
    ['gateId must be', () => client.respondHITL('w', 'r', true, 'ann', { gateId: 0 })],
    ['comment must', () => client.respondHITL('w', 'r', true, 'ann', { comment: 'x'.repeat(10_001) })],
    ['topK must be', () => client.searchMemory('x', 0)],
    ['query must be', () => client.searchMemory(undefined as never)],
    ['limit must be', () => client.getMessages('w', 'r', { limit: 0 })],
    ['idempotencyKey must be', () => client.startWorkflow('w', {}, { idempotencyKey: 'ü' })],
    ['timeoutMs must be', () => client.health({ timeoutMs: -1 })],
    ['give one of them', () => client.validateYaml(7 as never)],
  ])('%s', async (sentence, call) => {
    const refused = call();
    await expect(refused).rejects.toThrow(sentence);
    await expect(refused).rejects.toBeInstanceOf(TypeError);
    expect(asked).toBe(0);
  });
});
