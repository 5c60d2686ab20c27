import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { NestFactory } from '@nestjs/core';
import { FlowgateClient, type FlowgateApiError } from 'flowgate-client';
import { FlowgateModule, InMemoryRunStore } from '../../src/index.js';
import { Engine } from '../../src/engine/index.js';
import { statusesOfCodes } from '../../src/errors/http-status.js';
import {
  ConflictException,
  ForbiddenException,
  HttpException,
  ServiceUnavailableException,
  UnauthorizedException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { AuthUnavailableError, KeysFullError, UnknownKeyError } from '../../src/errors/access-errors.js';
import { StreamsFullError } from '../../src/errors/edge-errors.js';
import { UnreadablePlanError } from '../../src/errors/document-errors.js';
import { IncompatibleDefinitionError, OwnGateError } from '../../src/errors/run-errors.js';
import {
  BusyError,
  NamespaceFullError,
  SealedError,
  StoreError,
  UnreadableEventError,
} from '../../src/errors/service-errors.js';
import { pages, rowsOf } from '../docs/support/http-page.js';
import { codeIn } from '../docs/support/page-tables.js';
import { situations } from '../docs/support/http-situations.js';
import { startHosted } from '../support/hosted-service.js';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

interface Said {
  readonly status: number;
  readonly body: unknown;
}

let service: Service;
let runs: Readonly<Record<'paused' | 'half' | 'over', string>>;

beforeAll(async () => {
  service = await startService({ FLOWGATE_MAX_WORKFLOWS: '5' });
  await service.register(document('plain', [mock('a'), gate('g')]));
  await service.register(document('strict', [mock('a')], { input: { type: 'object', required: ['n'] } }));
  const gates = { flow: { type: 'parallel', units: ['one', 'two'] } };
  await service.register(document('gates', [gate('one'), gate('two')], gates));
  const undone = { flow: { type: 'sequential', order: ['a', 'stop'] } };
  const stop = { id: 'stop', uses: 'builtin.fail', config: { message: 'no' } };
  await service.register(document('saga', [mock('a', 1, { compensate: 'b' }), mock('b'), stop], undone));
  await service.register(document('slow', [mock('a', 1, { config: { delayMs: 100_000 } })]));
  const [paused, half] = [await service.start('gates'), await service.start('gates')];
  await service.post(`/workflows/gates/runs/${half.runId}/hitl`, { approved: true, gateId: 3 });
  const over = await service.start('plain');
  await service.post(`/workflows/plain/runs/${over.runId}/hitl`, { approved: true });
  runs = { paused: paused.runId, half: half.runId, over: over.runId };
});
afterAll(() => service.close());

const start = (workflowId: string, body?: unknown, headers?: Readonly<Record<string, string>>) =>
  service.post(`/workflows/${workflowId}/runs`, body, headers);
const atGate = (runId: string, body: unknown) => service.post(`/workflows/gates/runs/${runId}/hitl`, body);
const situation = (name: string) => (): Promise<Said> => situations.get(name)!(service);

/** The response of a service, in a process of its own, whose engine throws this error. */
const thrown = (error: Error) => async (): Promise<Said> => {
  const host = await startHosted({ store: new InMemoryRunStore() });
  const list = async (): Promise<never> => {
    throw error;
  };
  Object.assign(host.app.get(Engine).workflows, { list });
  const answer = await host.get('/workflows');
  await host.close();
  return answer;
};

async function exportOf(runId: string): Promise<string> {
  return (await service.get(`/workflows/plain/runs/${runId}/export`)).text;
}

async function imported(): Promise<Said> {
  const host = await startHosted({ store: new InMemoryRunStore() });
  await host.post('/runs/import', await exportOf(runs.over));
  const answer = await host.post(`/workflows/plain/runs/${runs.over}/pause`);
  await host.close();
  return answer;
}

async function usedKey(): Promise<Said> {
  const headers = { 'idempotency-key': 'used' };
  await start('plain', { input: { n: 1 } }, headers);
  return start('plain', { input: { n: 2 } }, headers);
}

/** What Node's parser says of a head that took more than a minute, which is Node's limit. */
async function slowHead(): Promise<Said> {
  const socket = new PassThrough();
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  service.app.getHttpServer().emit('clientError', late, socket);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

/** A service that has not taken over the runs of the last one yet. */
async function recovering(): Promise<Said> {
  const host = await startHosted({});
  Object.defineProperty(host.app.get(Engine), 'hasTakenOver', { get: () => false });
  const answer = await host.get('/health/ready');
  await host.close();
  return answer;
}

/** How to provoke each code. */
const PROVOKED: Readonly<Record<string, () => Promise<Said>>> = {
  'invalid-request': () => start('plain', { inputs: {} }),
  'invalid-input': () => start('strict'),
  'malformed-json': () => start('plain', '{"input":'),
  'malformed-http': situation('what is no HTTP'),
  'yaml-validation': () => service.post('/workflows/from-yaml', { yaml: 'a: [' }),
  'yaml-load': () =>
    service.post('/workflows/from-yaml', { yaml: document('lost', [{ id: 'a', uses: 'acme.nowhere' }]) }),
  'self-call': () => start('plain', {}, { 'x-flowgate-run-id': '7' }),
  'foreign-host': () => service.call('GET', '/health', { headers: { host: 'page.example' } }),
  'foreign-page': () => start('plain', {}, { origin: 'https://page.example' }),
  'own-gate': thrown(new OwnGateError('w', 'r')),
  'not-found': () => service.get('/nowhere'),
  'method-not-allowed': () => service.call('DELETE', '/workflows'),
  'request-timeout': slowHead,
  'ambiguous-gate': () => atGate(runs.paused, { approved: true }),
  'gate-decided': () => atGate(runs.half, { approved: false, gateId: 3 }),
  'unit-not-reached': () =>
    service.post(`/workflows/gates/runs/${runs.half}/fork`, { from: { unitId: 'one', occurrence: 9 } }),
  'decided-gate': () =>
    service.post(`/workflows/gates/runs/${runs.half}/fork`, {
      from: { snapshotId: `${runs.half}.4` },
      state: { n: 1 },
    }),
  'incompatible-definition': thrown(new IncompatibleDefinitionError('It is another one: fork the first', [])),
  'idempotency-conflict': usedKey,
  'auth-unavailable': thrown(new AuthUnavailableError('The store of keys')),
  'keys-full': thrown(new KeysFullError(100, true)),
  'unknown-key': thrown(new UnknownKeyError('abc')),
  'registry-full': () => service.post('/workflows/from-yaml', { yaml: document('more', [mock('a')]) }),
  'run-known': async () => service.post('/runs/import', await exportOf(runs.over)),
  'imported-run': imported,
  'body-too-large': () => start('plain', Buffer.alloc(8 * 1024 * 1024 + 1, ' ')),
  expectation: () => start('plain', {}, { expect: 'a-miracle' }),
  'head-too-large': situation('an address and headers of more than 16 KiB'),
  'unknown-workflow': () => start('nobody'),
  'unknown-version': () => service.get('/workflows/plain/versions/nothing'),
  'unknown-run': () => service.post('/workflows/plain/runs/nothing/resume'),
  unwound: async () => {
    const { runId } = await service.start('saga');
    return service.post(`/workflows/saga/runs/${runId}/resume`);
  },
  'nothing-to-compensate': () => service.post(`/workflows/plain/runs/${runs.over}/compensate`),
  'run-over': () => service.post(`/workflows/plain/runs/${runs.over}/hitl`, { approved: false }),
  'no-checkpoint': () =>
    service.post(`/workflows/plain/runs/${runs.over}/resume`, { snapshotId: `${runs.over}.999` }),
  'unreadable-event': thrown(new UnreadableEventError('The event is of a newer version: start that')),
  'unreadable-plan': thrown(UnreadablePlanError.newer('its revision is 99')),
  sealed: thrown(new SealedError()),
  internal: thrown(new Error('nobody foresaw it')),
  store: thrown(new StoreError('The disk is full: make room')),
  busy: thrown(new BusyError('document compiler')),
  'streams-full': thrown(new StreamsFullError()),
  'namespace-full': thrown(new NamespaceFullError('default', 10)),
  'uploads-full': situation('the slowest of too many bodies that arrive at once'),
  'shutting-down': situation('a start while the service shuts down'),
  recovering,
};
/** Errors of a host at one of our routes. */
const OF_HOSTS: Readonly<Record<string, Error>> = {
  unauthorized: new UnauthorizedException(),
  forbidden: new ForbiddenException(),
  conflict: new ConflictException(),
  'unsupported-media-type': new UnsupportedMediaTypeException(),
  'too-many-requests': new HttpException('slower', 429),
  unavailable: new ServiceUnavailableException(),
  refused: new HttpException('no tea here', 418),
};

const rows = rowsOf('code').map(({ cells: [code = '', statuses = ''] }) => {
  const [usual = 0, conventional = usual] = statuses.split(', ').map(Number);
  return { code: code.replaceAll('`', ''), usual, conventional };
});

describe('the codes of the page', () => {
  it('are all that exist, with the statuses of both kinds; those of hosts are listed below', () => {
    const documented = (kind: 'usual' | 'conventional') =>
      rows.map((row) => `${row.code} ${row[kind]}`).toSorted();
    const known = (kind: 'interface' | 'conventional') =>
      [...statusesOfCodes(kind)]
        .filter(([code]) => !Object.hasOwn(OF_HOSTS, code))
        .map(([code, status]) => `${code} ${status}`)
        .toSorted();
    expect(documented('usual')).toEqual(known('interface'));
    expect(documented('conventional')).toEqual(known('conventional'));
    const named = pages.flatMap((page) => codeIn(page.text));
    for (const code of Object.keys(OF_HOSTS)) expect(named).toContain(code);
  });

  it.each(rows)('$code is answered with $usual', async ({ code, usual }) => {
    const provoke = PROVOKED[code];
    if (provoke === undefined) throw new Error(`Say here how to bring about ${code}.`);
    expect(await provoke()).toMatchObject({
      status: usual,
      body: { error: expect.stringMatching(/./), code },
    });
  });

  it.each(Object.entries(OF_HOSTS))('%s is what a host says', async (code, error) => {
    const { status, body } = await thrown(error)();
    expect([status, body]).toEqual([(error as HttpException).getStatus(), { error: error.message, code }]);
  });
});

describe('FLOWGATE_STATUSES=conventional', () => {
  let conventional: Service;
  let paths: Readonly<Record<'plain' | 'over' | 'paused', string>>;
  beforeAll(async () => {
    conventional = await startService({ FLOWGATE_STATUSES: 'conventional' });
    await conventional.register(document('plain', [mock('a'), gate('g')]));
    const [paused, over] = [await conventional.start('plain'), await conventional.start('plain')];
    const path = ({ runId }: { readonly runId: string }) => `/workflows/plain/runs/${runId}`;
    await conventional.post(`${path(over)}/hitl`, { approved: true });
    paths = { plain: '/workflows/plain/runs', over: path(over), paused: path(paused) };
  });
  afterAll(() => conventional.close());

  it.each<[string, () => Promise<Said>, number, string]>([
    ['a start of an unknown workflow', () => conventional.post('/workflows/x/runs'), 404, 'unknown-workflow'],
    ['a resume of an unknown run', () => conventional.post(`${paths.plain}/x/resume`), 404, 'unknown-run'],
    ['a decision in an unknown run', () => conventional.post(`${paths.plain}/x/hitl`), 404, 'unknown-run'],
    ['a read of an unknown run', () => conventional.get(`${paths.plain}/x`), 404, 'unknown-run'],
    [
      'a read of a missing checkpoint',
      () => conventional.get(`${paths.paused}/snapshots/x.1`),
      404,
      'no-checkpoint',
    ],
    [
      'a resume from a missing checkpoint',
      () => conventional.post(`${paths.paused}/resume`, { snapshotId: 'x.1' }),
      409,
      'no-checkpoint',
    ],
    [
      'a decision in a run that is over',
      () => conventional.post(`${paths.over}/hitl`, { approved: false }),
      409,
      'run-over',
    ],
    ['what is wrong with a body', () => conventional.post(paths.plain, []), 400, 'invalid-request'],
    ['an unknown path', () => conventional.get('/nowhere'), 404, 'not-found'],
  ])('%s', async (_what, ask, status, code) => {
    expect(await ask()).toMatchObject({ status, body: { code } });
  });

  it('does not change what a tool says', async () => {
    const call = { method: 'tools/call', params: { name: 'run_workflow', arguments: { workflowId: 'x' } } };
    const [plain, usual] = [await conventional.post('/mcp', call), await service.post('/mcp', call)];
    expect([plain.status, plain.body]).toEqual([usual.status, usual.body]);
  });

  it('does not change the words and codes that the client shows', async () => {
    const shown = async ({ url }: Service) => {
      const client = new FlowgateClient({ baseUrl: url });
      const error: unknown = await client.startWorkflow('x').catch((thrownError: unknown) => thrownError);
      const { message, code } = error as FlowgateApiError;
      return { message, code };
    };
    expect(await shown(conventional)).toEqual(await shown(service));
  });

  it('is an option of the module, which refuses anything else at the start', async () => {
    const host = await startHosted({ statuses: 'conventional' });
    expect((await host.post('/workflows/x/runs')).status).toBe(404);
    await host.close();
    const refused = NestFactory.create(FlowgateModule.forRoot({ statuses: 'http' as never }), {
      logger: false,
      abortOnError: false,
    });
    await expect(refused).rejects.toThrow('statuses is http: it must be one of interface, conventional.');
  });
});
