import { inspect } from 'node:util';
import {
  FlowgateApiError,
  FlowgateClient,
  type FlowgateClientOptions,
  type RunEvent,
  type TokenSource,
} from 'flowgate-client';
import {
  startUnitServer,
  type Behaviour,
  type ReceivedRequest,
  type Reply,
  type UnitServer,
} from '../../../../test/support/unit-server.js';
import { afterSeqOf, begin, END, frame, frameOf, streamed } from '../support/event-streams.js';

const SECRET = 'fgk_0123456789abcdef_hush-hush';
const FAST = { count: 3, baseMs: 1, maxMs: 5 };
const HEALTH = { body: { ok: true } };
const UNAUTHORIZED = {
  status: 401,
  body: { error: 'The request is not authenticated', code: 'unauthorized' },
};
const NO_LONGER = frame({ event: 'end', data: { status: 'unauthorized' } });

let server: UnitServer;
beforeEach(async () => {
  server = await startUnitServer();
});
afterEach(() => server.close());

const clientOf = (options: FlowgateClientOptions) =>
  new FlowgateClient({ baseUrl: server.url, retries: FAST, ...options });
const tokenOf = ({ headers }: ReceivedRequest): string | undefined =>
  headers.authorization?.replace(/^Bearer /, '');
const tokensSent = () => server.requests.map(tokenOf);
const thrown = (work: () => unknown): Promise<Error> =>
  Promise.resolve()
    .then(work)
    .then(
      () => Promise.reject(new Error('It was not refused.')),
      (error: unknown) => error as Error,
    );

/** Answers those alone who come with one of these. */
function onlyFor(good: () => readonly string[], behaviour: Behaviour | Reply): Behaviour {
  return (request, response) => {
    const token = tokenOf(request);
    if (token === undefined || !good().includes(token)) return UNAUTHORIZED;
    return typeof behaviour === 'function' ? behaviour(request, response) : behaviour;
  };
}

/** Tokens one after the other, and how often one was asked for. */
function tokens(...all: readonly string[]) {
  const source = { asked: 0, next: (): string => all[Math.min(source.asked++, all.length - 1)] ?? '' };
  return source;
}

async function taken(events: AsyncIterable<RunEvent>): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq } of events) seqs.push(seq);
  return seqs;
}

describe('a token', () => {
  it('goes with every request, and so does the namespace', async () => {
    server.answer(HEALTH);
    await clientOf({ token: SECRET, namespace: 'billing' }).health();
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${SECRET}`,
      'flowgate-namespace': 'billing',
    });
  });

  it('that a function gives is asked for once, also by many calls at a time', async () => {
    server.answer(HEALTH);
    const { next } = tokens('one', 'two');
    const client = clientOf({ token: async () => next() });
    await Promise.all(Array.from({ length: 5 }, () => client.health()));
    expect(tokensSent()).toEqual(Array.from({ length: 5 }, () => 'one'));
  });

  it('that is refused is asked for again, once for all, and what was sent is sent once more', async () => {
    const source = tokens('old', 'new');
    server.answer(onlyFor(() => ['new'], { body: { runId: 'r', status: 'running' } }));
    const client = clientOf({ token: source.next });
    await Promise.all(Array.from({ length: 4 }, () => client.startWorkflow('w', { a: 1 })));
    expect(source.asked).toBe(2);
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect([server.requests.length, new Set(keys).size]).toEqual([8, 4]);
  });

  it('that is refused again ends the call, and says what to do', async () => {
    const source = tokens('one', 'two', 'three');
    server.answer(UNAUTHORIZED);
    const error = await thrown(() => clientOf({ token: source.next }).health());
    expect(error).toBeInstanceOf(FlowgateApiError);
    expect(error).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(error.message).toContain('function');
    expect(tokensSent()).toEqual(['one', 'two']);
  });

  it('that is a text is sent once, and its refusal says what to do', async () => {
    server.answer(UNAUTHORIZED);
    const error = await thrown(() => clientOf({ token: SECRET }).health());
    expect(error).toMatchObject({ status: 401 });
    expect(error.message).toContain('The token that the client has is not good');
    expect(server.requests).toHaveLength(1);
  });

  it('that cannot be got ends the call with the error of the function, and is asked for again by the next', async () => {
    server.answer(HEALTH);
    let asked = 0;
    const client = clientOf({
      token: () => {
        asked += 1;
        if (asked === 1) throw new RangeError('the vault is shut');
        return SECRET;
      },
    });
    expect(await thrown(() => client.health())).toEqual(new RangeError('the vault is shut'));
    expect(await client.health()).toEqual({ ok: true });
  });

  it('that never comes does not hold a call for longer than it may take, nor the next one', async () => {
    server.answer(HEALTH);
    let asked = 0;
    const token = () => (asked++ === 0 ? new Promise<string>(() => undefined) : Promise.resolve(SECRET));
    const client = clientOf({ token });
    expect(await thrown(() => client.health({ timeoutMs: 20 }))).toMatchObject({ code: 'TIMEOUT' });
    expect(await client.health()).toEqual({ ok: true });
  });

  it('is sent to the service alone: a redirection is refused', async () => {
    const other = await startUnitServer();
    other.answer(HEALTH);
    server.answer({ status: 307, headers: { location: `${other.url}/health` }, body: {} });
    await thrown(() => clientOf({ token: SECRET }).health());
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it('stands in no error, not even where somebody on the way answers with it, and in nothing that is printed', async () => {
    server.answer((request) => ({ status: 502, body: `<h1>${request.headers.authorization}</h1>` }));
    const client = clientOf({ token: () => SECRET, retries: 0 });
    const error = await thrown(() => client.health());
    expect(error.message).toContain('[token]');
    for (const shown of [error, client, clientOf({ token: SECRET })])
      expect(inspect(shown, { depth: 10, showHidden: true })).not.toContain('hush-hush');
  });

  it.each<[string, FlowgateClientOptions]>([
    ['token must be a text', { token: '' }],
    ['token must be a text', { token: `${SECRET} and more` }],
    ['token must be a text', { token: `${SECRET}\n` }],
    ['token must be a text', { token: 7 as unknown as TokenSource }],
    ['leave one out', { token: SECRET, headers: { Authorization: 'Basic x' } }],
    ['namespace must be', { namespace: 'Billing' }],
    ['leave one out', { namespace: 'a', headers: { 'Flowgate-Namespace': 'a' } }],
    ['are for a service', { token: SECRET, baseUrl: undefined }],
    ['are for a service', { namespace: 'a', baseUrl: undefined }],
  ])('cannot be meant so: %s', async (message, options) => {
    const error = await thrown(() => clientOf(options));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(message);
    expect(inspect(error)).not.toContain('hush-hush');
  });

  it('that a function gives and that is none is a TypeError, which does not show it', async () => {
    const error = await thrown(() => clientOf({ token: () => `${SECRET}\n` }).health());
    expect(error).toBeInstanceOf(TypeError);
    expect(inspect(error)).not.toContain('hush-hush');
  });
});

describe('a stream whose token is no longer good', () => {
  /** One event for each token, then the end of it, until the last one. */
  const perToken = (good: readonly string[], last: number): Behaviour =>
    onlyFor(
      () => good,
      (request, response) => {
        const seq = afterSeqOf(request) + 1;
        return streamed(frameOf(seq) + (seq === last ? END : NO_LONGER))(request, response);
      },
    );

  it('is taken up with another one after its last event', async () => {
    const source = tokens('one', 'two', 'three');
    server.answer(perToken(['one', 'two', 'three'], 3));
    expect(await taken(clientOf({ token: source.next }).watchRun('w', 'r'))).toEqual([1, 2, 3]);
    expect([tokensSent(), source.asked]).toEqual([['one', 'two', 'three'], 3]);
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1', '2']);
  });

  it('is taken up with another one also where it is refused when it comes back', async () => {
    const source = tokens('one', 'two');
    let good = ['one'];
    server.answer(
      onlyFor(
        () => good,
        (request, response) => {
          if (afterSeqOf(request) === 1) return streamed(frameOf(2) + END)(request, response);
          good = ['two'];
          begin(response);
          response.write(frameOf(1), () => response.destroy());
        },
      ),
    );
    expect(await taken(clientOf({ token: source.next }).watchRun('w', 'r'))).toEqual([1, 2]);
    expect(tokensSent()).toEqual(['one', 'one', 'two']);
  });

  it('is over with a clear error where the token is a text, or came as a header', async () => {
    server.answer(streamed(frameOf(1) + NO_LONGER));
    for (const options of [{ token: SECRET }, { headers: { authorization: `Bearer ${SECRET}` } }]) {
      const events = clientOf(options).watchRun('w', 'r');
      expect((await events.next()).value).toMatchObject({ seq: 1 });
      const error = await thrown(() => events.next());
      expect(error).toMatchObject({ status: 401, code: 'unauthorized' });
      expect(error.message).toMatch(/is no longer good[^]*ive (?:the client a token|it another one)/);
    }
  });

  it('is over where the other one is refused, too', async () => {
    server.answer(perToken(['one'], 3));
    const events = clientOf({ token: tokens('one', 'two', 'three').next }).watchRun('w', 'r');
    await events.next();
    expect(await thrown(() => events.next())).toMatchObject({ status: 401 });
    expect(tokensSent()).toEqual(['one', 'two', 'three']);
  });
});
