import { readFileSync } from 'node:fs';
import { FlowgateClient } from 'flowgate-client';
import { document, mock } from '../../../test/support/workflow-documents.js';
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
    ['definitionHash must be a text', () => client.listRuns({ definitionHash: 7 as never })],
    ['hash must be a text', () => client.getWorkflow('w', { hash: 7 as never })],
    ['from must be a text', () => client.diffVersions('w', 7 as never, 'b')],
    ['to must be a text', () => client.diffVersions('w', 'a', 7 as never)],
    ['give one of them', () => client.validateYaml(7 as never)],
  ])('%s', async (sentence, call) => {
    const refused = call();
    await expect(refused).rejects.toThrow(sentence);
    await expect(refused).rejects.toBeInstanceOf(TypeError);
    expect(asked).toBe(0);
  });
});

/** What plain JavaScript may give in place of options; the compiler would refuse it. */
type Given = never;

describe('an option that a call does not have is refused before anybody is asked:', () => {
  type Call = (options: Given) => Promise<unknown> | AsyncIterator<unknown>;
  const CALLS: Readonly<Record<string, Call>> = {
    loadAndRegister: (options) => client.loadAndRegister(document('w', [mock('a')]), {}, options),
    startWorkflow: (options) => client.startWorkflow('w', {}, options),
    startBatch: (options) => client.startBatch('w', [{}], options),
    getRun: (options) => client.getRun('w', 'r', options),
    getRunById: (options) => client.getRunById('r', options),
    resume: (options) => client.resume('w', 'r', null, options),
    cancel: (options) => client.cancel('w', 'r', options),
    pause: (options) => client.pause('w', 'r', options),
    compensate: (options) => client.compensate('w', 'r', options),
    fork: (options) => client.fork('w', 'r', options),
    respondHITL: (options) => client.respondHITL('w', 'r', true, 'ann', options),
    waitForRun: (options) => client.waitForRun('w', 'r', options),
    getMessages: (options) => client.getMessages('w', 'r', options),
    listRuns: (options) => client.listRuns(options),
    eachRun: (options) => client.eachRun(options),
    watchRuns: (options) => client.watchRuns(options),
    listGates: (options) => client.listGates(options),
    eachGate: (options) => client.eachGate(options),
    watchGates: (options) => client.watchGates(options),
    getEvents: (options) => client.getEvents('w', 'r', options),
    getEvent: (options) => client.getEvent('w', 'r', 1, options),
    eachEvent: (options) => client.eachEvent('w', 'r', options),
    watchRun: (options) => client.watchRun('w', 'r', options),
    listSnapshots: (options) => client.listSnapshots('w', 'r', options),
    getSnapshot: (options) => client.getSnapshot('w', 'r', 's', options),
    watchAll: (options) => client.watchAll(options),
    exportRun: (options) => client.exportRun('w', 'r', options),
    importRun: (options) => client.importRun('x', options),
    listWorkflows: (options) => client.listWorkflows(options),
    deleteWorkflow: (options) => client.deleteWorkflow('w', options),
    getWorkflow: (options) => client.getWorkflow('w', options),
    listVersions: (options) => client.listVersions('w', options),
    eachVersion: (options) => client.eachVersion('w', options),
    diffVersions: (options) => client.diffVersions('w', 'a', 'b', options),
    validateOnService: (options) => client.validateOnService('x: 1\n', {}, options),
    searchMemory: (options) => client.searchMemory('x', 5, options),
    health: (options) => client.health(options),
    whoami: (options) => client.whoami(options),
    makeKey: (options) => client.makeKey(options),
    listKeys: (options) => client.listKeys(options),
    eachKey: (options) => client.eachKey(options),
    rotateKey: (options) => client.rotateKey('k', options),
    revokeKey: (options) => client.revokeKey('k', options),
    revokeOwner: (options) => client.revokeOwner('ann', options),
    listAudit: (options) => client.listAudit(options),
    eachAct: (options) => client.eachAct(options),
  };
  const WITHOUT_OPTIONS = ['constructor', 'validateYaml', 'registerUnit', 'close'];

  /** A loop begins what it asks for with its first value. */
  async function made(call: Call, options: unknown): Promise<unknown> {
    const asking = call(options as Given);
    return asking instanceof Promise ? asking : asking.next();
  }

  it('every call that takes options is tried below', () => {
    const methods = Object.getOwnPropertyNames(FlowgateClient.prototype);
    expect(Object.keys(CALLS).toSorted()).toEqual(
      methods.filter((name) => !WITHOUT_OPTIONS.includes(name)).toSorted(),
    );
  });

  it.each(Object.entries(CALLS))('%s', async (_name, call) => {
    const refused = made(call, { wait: true, timeoutMs: 1_000 });
    await expect(refused).rejects.toThrow(/^wait is no option of \w+: it has [a-zA-Z, ]*\bsignal\b/);
    await expect(refused).rejects.toBeInstanceOf(TypeError);
    expect(asked).toBe(0);
  });

  it('with the options that there are', async () => {
    const known = 'labels, sync, syncUntil, idempotencyKey, signal, timeoutMs';
    await expect(client.startWorkflow('w', {}, { wait: true } as Given)).rejects.toThrow(
      `wait is no option of startWorkflow: it has ${known}`,
    );
  });

  it.each([[5_000], ['fast'], [null], [[]]])('and so is %j in place of options', async (given) => {
    const refused = client.waitForRun('w', 'r', given as Given);
    await expect(refused).rejects.toThrow(
      'The options of waitForRun must be an object, of signal, timeoutMs',
    );
    expect(asked).toBe(0);
  });

  it.each([
    [{ url: 'http://127.0.0.1:9' }, 'url is no option of FlowgateClient: it has baseUrl, '],
    [
      { baseUrl: 'http://127.0.0.1:9', retries: { times: 2 } },
      'times is no option of retries: it has count, ',
    ],
  ])('and so is one that the client does not have: %j', (options, sentence) => {
    expect(() => new FlowgateClient(options as Given)).toThrow(sentence);
  });

  it('and so is a field that no place of a fork has', async () => {
    const from = { unitId: 'a', occurence: 2 };
    await expect(client.fork('w', 'r', { from } as Given)).rejects.toThrow(
      'occurence is no field of from: it has snapshotId, or unitId and occurrence',
    );
  });
});
