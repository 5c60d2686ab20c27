import { FlowgateApiError, FlowgateClient, FlowgateUnreachableError } from 'flowgate-client';
import { startUnitServer, type Behaviour, type UnitServer } from '../../../../test/support/unit-server.js';

const FAST = { baseMs: 1, maxMs: 2 };
const RECORD = { runId: 'r', workflowId: 'w', status: 'completed', createdAt: 1, updatedAt: 2 };

let server: UnitServer;
let client: FlowgateClient;
beforeEach(async () => {
  server = await startUnitServer({ body: RECORD });
  client = new FlowgateClient({ baseUrl: server.url, retries: FAST });
});
afterEach(() => server.close());

/** What each call is answered with, one after another; the last one from then on. */
function inTurn(...behaviours: readonly Behaviour[]): Behaviour {
  let next = 0;
  return (request, response) => behaviours[Math.min(next++, behaviours.length - 1)]!(request, response);
}

const good: Behaviour = () => ({ body: RECORD });
const busy =
  (status: number, headers = {}): Behaviour =>
  () => ({ status, headers, body: { error: 'not now' } });
/** Of the service, with the code by which programs tell it. */
const answering =
  (status: number, body: object, retryAfter?: string): Behaviour =>
  () => ({ status, body, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
const cut: Behaviour = (_request, response) => void response.destroy();
const cutInTheBody: Behaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"runId":');
  setImmediate(() => response.destroy());
};
const keys = () => server.requests.map(({ headers }) => headers['idempotency-key']);
const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error as Error,
  );

describe('a call is tried again', () => {
  it.each<[string, Behaviour]>([
    ['429', busy(429)],
    ['502', busy(502)],
    ['503', busy(503)],
    ['504', busy(504)],
    ['a connection that is cut', cut],
    ['a body that is cut', cutInTheBody],
  ])('after %s, under the key that it had', async (_name, behaviour) => {
    server.answer(inTurn(behaviour, behaviour, behaviour, good));
    expect(await client.startWorkflow('w', {}, { sync: true })).toEqual(RECORD);
    expect(server.requests).toHaveLength(4);
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['resume', () => client.resume('w', 'r')],
    ['respondHITL', () => client.respondHITL('w', 'r', true)],
  ])('and so is %s', async (_name, call) => {
    server.answer(inTurn(busy(503), good));
    await call();
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
    await call();
    expect(new Set(keys()).size).toBe(2);
  });

  it('under the key that the caller names', async () => {
    server.answer(inTurn(cut, good));
    await client.startWorkflow('w', {}, { idempotencyKey: 'mine' });
    expect(keys()).toEqual(['mine', 'mine']);
  });

  it('as often as is said, and then fails as the last try did', async () => {
    server.answer(busy(503));
    const error = await thrown(client.getRun('w', 'r'));
    expect(error).toBeInstanceOf(FlowgateApiError);
    expect(error).toMatchObject({ status: 503, error: 'not now' });
    expect(server.requests).toHaveLength(4);
    const once = new FlowgateClient({ baseUrl: server.url, retries: 0 });
    await thrown(once.getRun('w', 'r'));
    expect(server.requests).toHaveLength(5);
  });

  it('not before the time that Retry-After names', async () => {
    server.answer(inTurn(busy(429, { 'retry-after': '1' }), good));
    const began = performance.now();
    await client.getRun('w', 'r');
    expect(performance.now() - began).toBeGreaterThan(990);
  });

  it.each([
    ['too-many-requests', 429, '1'],
    ['namespace-full', 503, '1'],
    ['auth-unavailable', 503, undefined],
  ])('of %s too, and the last error names it', async (code, status, retryAfter) => {
    const full = answering(status, { error: 'full', code }, retryAfter);
    server.answer(inTurn(full, good));
    expect(await client.getRun('w', 'r')).toEqual(RECORD);
    expect(server.requests).toHaveLength(2);
    server.answer(full);
    const once = new FlowgateClient({ baseUrl: server.url, retries: 0 });
    const retryAfterMs = retryAfter === undefined ? undefined : 1_000;
    expect(await thrown(once.getRun('w', 'r'))).toMatchObject({ status, code, retryAfterMs });
  });

  it.each(['keys-full', 'registry-full'])('never after %s, which no time ends', async (code) => {
    server.answer(answering(409, { error: 'full', code }));
    expect(await thrown(client.startWorkflow('w'))).toMatchObject({ status: 409, code });
    expect(server.requests).toHaveLength(1);
  });

  it('at once where Retry-After names a date that is over', async () => {
    server.answer(inTurn(busy(503, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }), good));
    expect(await client.getRun('w', 'r')).toEqual(RECORD);
  });

  it('never where Retry-After asks for more than the bound', async () => {
    server.answer(busy(503, { 'retry-after': '3600' }));
    const error = await thrown(client.getRun('w', 'r'));
    expect(error).toMatchObject({ status: 503, retryAfterMs: 3_600_000 });
    expect(server.requests).toHaveLength(1);
  });

  it.each([400, 401, 403, 404, 409, 413, 500, 501])('never after %i', async (status) => {
    server.answer(busy(status));
    expect(await thrown(client.startWorkflow('w'))).toMatchObject({ status, error: 'not now' });
    expect(server.requests).toHaveLength(1);
  });

  it('not any more once its signal has fired', async () => {
    const controller = new AbortController();
    server.answer(() => {
      controller.abort(new Error('enough'));
      return { status: 503, headers: { 'retry-after': '20' }, body: { error: 'not now' } };
    });
    const call = client.getRun('w', 'r', { signal: controller.signal });
    expect(await thrown(call)).toMatchObject({ message: 'enough' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a call without a key that is refused as if an earlier try had been carried out', () => {
  const MAY_BE_DONE = 'An earlier try of this call was not answered, and may have been carried out';
  const CALLS: readonly (readonly [string, number, string, () => Promise<unknown>])[] = [
    ['deleteWorkflow', 404, 'unknown-workflow', () => client.deleteWorkflow('w')],
    ['importRun', 409, 'run-known', () => client.importRun('an export')],
    ['revokeKey', 404, 'unknown-key', () => client.revokeKey('k')],
  ];
  const LOST: readonly (readonly [string, Behaviour])[] = [
    ['a connection that was cut', cut],
    ['502', busy(502)],
    ['504', busy(504)],
  ];

  describe.each(CALLS)('%s', (_name, status, code, call) => {
    const refused = answering(status, { error: 'refused', code, detail: 'Look again.' });

    it.each(LOST)('says so after %s, also where more was tried between', async (_lost, behaviour) => {
      server.answer(inTurn(behaviour, busy(503), refused));
      const error = await thrown(call());
      expect(error).toMatchObject({ status, code, error: 'refused', detail: 'Look again.' });
      expect(error!.message).toBe(`refused\nLook again.\n${MAY_BE_DONE}`);
    });

    it('does not where it was the first try, or where those before were answered', async () => {
      server.answer(refused);
      expect((await thrown(call()))!.message).toBe('refused\nLook again.');
      server.answer(inTurn(busy(429), busy(503), refused));
      expect((await thrown(call()))!.message).toBe('refused\nLook again.');
    });

    it('does not where it is refused for another reason', async () => {
      server.answer(inTurn(cut, answering(403, { error: 'refused', code: 'forbidden' })));
      expect((await thrown(call()))!.message).toBe('refused');
    });
  });

  it('says nothing of the kind of a call that only reads', async () => {
    server.answer(inTurn(cut, answering(404, { error: 'refused', code: 'unknown-workflow' })));
    expect((await thrown(client.getWorkflow('w')))!.message).toBe('refused');
  });
});

describe('a long wait that somebody on the way cuts', () => {
  it.each<[string, Behaviour]>([
    ['as Node does after 300 s without headers', cut],
    ['as a proxy does', busy(504)],
  ])('%s, is taken up again under the same key, however often', async (_name, ending) => {
    const cutLater: Behaviour = async (request, response) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return ending(request, response);
    };
    const patient = new FlowgateClient({
      baseUrl: server.url,
      retries: { ...FAST, count: 1, renewAfterMs: 50 },
    });
    server.answer(inTurn(...Array.from({ length: 6 }, () => cutLater), good));
    expect(await patient.startWorkflow('w', {}, { sync: true })).toEqual(RECORD);
    expect(server.requests).toHaveLength(7);
    expect(new Set(keys()).size).toBe(1);
  });

  it('has no bound of its own, but the one that the call names', async () => {
    server.answer(() => new Promise(() => undefined));
    const hasty = new FlowgateClient({ baseUrl: server.url, timeoutMs: 50 });
    const waiting = hasty.startWorkflow('w', {}, { sync: true, signal: AbortSignal.timeout(300) });
    expect(await thrown(waiting)).toMatchObject({ name: 'TimeoutError' });
    const bounded = hasty.startWorkflow('w', {}, { sync: true, timeoutMs: 100 });
    expect(await thrown(bounded)).toMatchObject({ code: 'TIMEOUT' });
  });
});

describe('nobody who answers', () => {
  it('is said with the address, the reason and no secret', async () => {
    const { url } = server;
    await server.close();
    const headers = { authorization: 'Bearer hush' };
    const lonely = new FlowgateClient({ baseUrl: `${url}/api/`, headers, retries: FAST });
    const error = await thrown(lonely.health());
    expect(error).toBeInstanceOf(FlowgateUnreachableError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', cause: expect.anything() });
    expect(error!.message).toContain(`${url}/api cannot be reached (ECONNREFUSED)`);
    expect(JSON.stringify(error) + error!.message + error!.stack).not.toContain('hush');
  });

  it('in time is said, too', async () => {
    server.answer(() => new Promise(() => undefined));
    const error = await thrown(client.getRun('w', 'r', { timeoutMs: 50 }));
    expect(error).toBeInstanceOf(FlowgateUnreachableError);
    expect(error).toMatchObject({ code: 'TIMEOUT' });
    expect(error!.message).toContain(`${server.url} did not answer within 50 ms`);
    await server.disconnected();
  });
});
