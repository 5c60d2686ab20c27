import {
  FlowgateApiError,
  FlowgateClient,
  FlowgateUnreachableError,
  type FlowgateClientOptions,
  type RunEvent,
} from 'flowgate-client';
import { until } from '../../../../test/support/eventually.js';
import { startUnitServer, type Behaviour, type UnitServer } from '../../../../test/support/unit-server.js';
import { afterSeqOf, begin, END, eventOf, frame, frameOf, streamed } from '../support/event-streams.js';

const FAST = { count: 3, baseMs: 1, maxMs: 5 };
/** In front of ours, as behind a proxy. */
const PATH = '/api/flowgate';
let server: UnitServer;
let client: FlowgateClient;
const clientOf = (options: FlowgateClientOptions = {}) =>
  new FlowgateClient({
    baseUrl: `${server.url}${PATH}/`,
    retries: FAST,
    headers: { authorization: 'Bearer hush' },
    ...options,
  });

beforeEach(async () => {
  server = await startUnitServer();
  client = clientOf();
});
afterEach(() => server.close());

async function taken<T>(values: AsyncIterable<T>, most = Infinity): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) {
    all.push(value);
    if (all.length === most) break;
  }
  return all;
}
const seqs = (events: readonly RunEvent[]): number[] => events.map(({ seq }) => seq);
const thrown = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => error as Error,
  );

/** Events 1 to `last`, from where it is asked; `cuts` end the connections one after the other, after so many characters. */
function run(last: number, cuts: readonly number[] = []): Behaviour {
  let connection = 0;
  return (request, response) => {
    const from = afterSeqOf(request);
    const frames = Array.from({ length: last - from }, (_, i) => frameOf(from + i + 1));
    return streamed([...frames, END].join(''), cuts[connection++])(request, response);
  };
}

describe('a run that is watched', () => {
  it('is told event by event until it is over', async () => {
    server.answer(run(3));
    expect(await taken(client.watchRun('w/1', 'r'))).toEqual([1, 2, 3].map((seq) => eventOf(seq)));
    const [{ url, headers } = { url: '', headers: {} }, ...others] = server.requests;
    expect([url, others]).toEqual([`${PATH}/workflows/w%2F1/runs/r/events?afterSeq=0`, []]);
    expect(headers).toMatchObject({ accept: 'text/event-stream', authorization: 'Bearer hush' });
    expect(headers).not.toHaveProperty('last-event-id');
  });

  it('is told from the place and in the view that is asked for', async () => {
    server.answer(run(5));
    expect(seqs(await taken(client.watchRun('w', 'r', { afterSeq: 3, view: 'log' })))).toEqual([4, 5]);
    expect(server.requests[0]?.url).toBe(`${PATH}/workflows/w/runs/r/events?afterSeq=3&view=log`);
  });

  it('over a line that is cut anywhere is told whole, each event once', async () => {
    const whole = [1, 2, 3, 4].map(frameOf).join('').length;
    for (let at = 0; at <= whole; at += 7) {
      server.answer(run(4, [at, 3, at % 90]));
      expect(seqs(await taken(client.watchRun('w', 'r')))).toEqual([1, 2, 3, 4]);
    }
    const ids = server.requests.map(({ headers }) => headers['last-event-id']);
    expect(new Set(ids)).toEqual(new Set([undefined, '1', '2', '3', '4']));
  });

  it('is told each event once also where somebody takes the header that says where to go on', async () => {
    let connection = 0;
    server.answer((request, response) =>
      streamed([1, 2, 3].map(frameOf).join('') + END, connection++ === 0 ? 150 : undefined)(
        request,
        response,
      ),
    );
    expect(seqs(await taken(client.watchRun('w', 'r')))).toEqual([1, 2, 3]);
    expect(connection).toBe(2);
  });

  it('is not waited for longer than is said where nobody answers, and neither are lists and exports', async () => {
    let open = 0;
    server.answer((_request, response) => {
      open += 1;
      response.once('close', () => (open -= 1));
    });
    const quick = clientOf({ timeoutMs: 100 });
    const watches = [
      taken(quick.watchRun('w', 'r')),
      taken(client.watchRuns({ timeoutMs: 100 })),
      taken(quick.watchAll()),
      taken(client.exportRun('w', 'r', { maxSilenceMs: 100 })),
    ];
    const errors = await Promise.all(watches.map(thrown));
    for (const [index, error] of errors.entries()) {
      expect(error).toBeInstanceOf(FlowgateUnreachableError);
      expect(error).toMatchObject({ code: 'TIMEOUT' });
      const longer = index === 3 ? 'maxSilenceMs' : 'timeoutMs';
      expect(error.message).toContain(`did not answer within 100 ms: give the call a longer ${longer}`);
    }
    await until(() => open === 0, 'every connection was released');
  });

  it('is over where a stream that is taken up again has nothing left to tell', async () => {
    server.answer((request, response) =>
      afterSeqOf(request) === 2 ? { status: 204 } : streamed(frameOf(1) + frameOf(2))(request, response),
    );
    expect(seqs(await taken(client.watchRun('w', 'r')))).toEqual([1, 2]);
    expect(server.requests).toHaveLength(2);
  });

  it('goes on behind a frame that has an id and no data', async () => {
    server.answer((request, response) =>
      afterSeqOf(request) === 9
        ? streamed(END)(request, response)
        : streamed(frameOf(1) + frame({ id: 9 }))(request, response),
    );
    expect(seqs(await taken(client.watchRun('w', 'r')))).toEqual([1]);
    expect(server.requests).toHaveLength(2);
  });

  it('is waited for while the service is away, and no longer than is said', async () => {
    const { port } = server;
    const patient = clientOf({ timeoutMs: 300 });
    server.answer(streamed(frameOf(1)));
    const events = patient.watchRun('w', 'r');
    expect((await events.next()).value).toEqual(eventOf(1));
    await server.close();
    const error = await thrown(events.next());
    expect(error).toBeInstanceOf(FlowgateUnreachableError);
    expect(error).toMatchObject({ code: 'TIMEOUT' });
    expect(error.message).toContain(`http://127.0.0.1:${port}${PATH} cannot be reached`);
    expect(error.message).toContain('not there again within 300 ms');
    expect(error.message).not.toContain('hush');
  });

  it('is taken up again after 502, 503 and a cut, however often', async () => {
    let connection = 0;
    const answers = [502, 503, 503, 502, 503, 504].map((status) => ({ status, body: { error: 'not now' } }));
    server.answer((request, response) => {
      if (connection++ === 0) return streamed(frameOf(1))(request, response);
      return answers.pop() ?? run(3)(request, response);
    });
    expect(seqs(await taken(client.watchRun('w', 'r')))).toEqual([1, 2, 3]);
  });

  it('that cannot be reached at first fails as other calls do', async () => {
    server.answer({ status: 503, body: { error: 'not now', code: 'streams-full' } });
    const error = await thrown(taken(client.watchRun('w', 'r')));
    expect(error).toMatchObject({ status: 503, code: 'streams-full' });
    expect(server.requests).toHaveLength(4);
  });

  it.each([400, 401, 404])('is refused with %i at once, also when it is taken up again', async (status) => {
    const refusal = { status, body: { error: 'no', code: 'x' } };
    server.answer(refusal);
    expect(await thrown(taken(client.watchRun('w', 'r')))).toMatchObject({ status, code: 'x', error: 'no' });
    let connection = 0;
    server.answer((request, response) =>
      connection++ === 0 ? streamed(frameOf(1))(request, response) : refusal,
    );
    const events = client.watchRun('w', 'r');
    await events.next();
    expect(await thrown(events.next())).toMatchObject({ status, error: 'no' });
    expect(server.requests).toHaveLength(3);
  });

  it('is taken up again where the line is silent', async () => {
    let connection = 0;
    server.answer((request, response) => {
      if (connection++ > 0) return run(2)(request, response);
      begin(response);
      response.write(frameOf(1));
    });
    expect(seqs(await taken(client.watchRun('w', 'r', { maxSilenceMs: 50 })))).toEqual([1, 2]);
    await server.disconnected();
  });

  it('is not silent while somebody looks at an event', async () => {
    server.answer(run(2));
    const events = client.watchRun('w', 'r', { maxSilenceMs: 30 });
    await events.next();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(seqs(await taken(events))).toEqual([2]);
    expect(server.requests).toHaveLength(1);
  });

  it('whose frames are no events says so', async () => {
    server.answer(streamed('data: <html>\n\n'));
    expect(await thrown(taken(client.watchRun('w', 'r')))).toMatchObject({
      name: 'FlowgateApiError',
      message: expect.stringContaining("not Flowgate's"),
    });
    server.answer({ body: { items: [] } });
    const error = await thrown(taken(client.watchRun('w', 'r')));
    expect(error).toBeInstanceOf(FlowgateApiError);
    expect(error.message).toContain('application/json');
  });

  it('is not read on where a frame never ends', async () => {
    const small = clientOf({ maxResponseBytes: 1_000 });
    server.answer(streamed(`data: "${'x'.repeat(5_000)}`));
    expect(await thrown(taken(small.watchRun('w', 'r')))).toMatchObject({
      message: expect.stringContaining('more than 1000 bytes'),
    });
  });
});

describe('a watch that is left', () => {
  const endless: Behaviour = (_request, response) => {
    begin(response);
    response.write(frameOf(1));
  };
  beforeEach(() => server.answer(endless));

  it('by its loop lets the connection go', async () => {
    expect(await taken(client.watchRun('w', 'r'), 1)).toHaveLength(1);
    await server.disconnected();
  });

  it('while it waits ends at once, without an error', async () => {
    const events = client.watchRun('w', 'r');
    await events.next();
    const waiting = events.next();
    expect(await events.return?.()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    await server.disconnected();
  });

  it('by its signal rejects with its reason, and leaves nothing on the signal', async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, given);
    };
    signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, given);
    };
    const events = client.watchRun('w', 'r', { signal });
    await events.next();
    const waiting = thrown(events.next());
    controller.abort(new Error('enough'));
    expect((await waiting).message).toBe('enough');
    expect(listeners).toBe(0);
    await server.disconnected();
    await expect(taken(client.watchRun('w', 'r', { signal }))).rejects.toThrow('enough');
  });

  it('before it began asks nobody', async () => {
    const events = client.watchRun('w', 'r');
    await events.return?.();
    expect(await taken(events)).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});

describe('what all runs do', () => {
  it('is told with ids, from which a later watch goes on', async () => {
    const told = frame({ id: 'a:1', event: 'unit.finished', data: eventOf(4) });
    server.answer(streamed(frame({ id: 'a:0' }) + told));
    expect(await taken(client.watchAll(), 1)).toEqual([{ type: 'event', id: 'a:1', event: eventOf(4) }]);
    await taken(client.watchAll({ after: 'a:1' }), 1);
    expect(server.requests.map(({ url, headers }) => [url, headers['last-event-id']])).toEqual([
      [`${PATH}/events`, undefined],
      [`${PATH}/events`, 'a:1'],
    ]);
  });

  it('goes on from now where the place is not known any more, and says so', async () => {
    const reset = frame({ id: 'b:9', event: 'reset', data: {} });
    server.answer(streamed(reset + frame({ id: 'b:10', event: 'run.started', data: eventOf(1) })));
    expect(await taken(client.watchAll({ after: 'a:1' }), 2)).toEqual([
      { type: 'reset' },
      { type: 'event', id: 'b:10', event: eventOf(1) },
    ]);
  });

  it('does not begin from what is no id', () => {
    expect(() => client.watchAll({ after: 'a\nb' })).toThrow(TypeError);
    expect(() => client.watchAll({ after: '' })).toThrow('after must be the id');
  });
});

describe('lists that are watched', () => {
  it('are a snapshot, then what becomes of it, and a snapshot again where the line was cut', async () => {
    const snapshot = frame({ event: 'snapshot', data: { items: [{ runId: 'a' }], next: null } });
    const upsert = frame({ event: 'upsert', data: { runId: 'b' } });
    const remove = frame({ event: 'remove', data: { runId: 'a' } });
    const newer = frame({ event: 'moved', data: {} });
    server.answer(streamed(snapshot + upsert + newer + remove));
    expect(await taken(client.watchRuns({ status: ['paused', 'failed'], limit: 7 }), 4)).toEqual([
      { type: 'snapshot', items: [{ runId: 'a' }], next: null },
      { type: 'upsert', item: { runId: 'b' } },
      { type: 'remove', runId: 'a' },
      { type: 'snapshot', items: [{ runId: 'a' }], next: null },
    ]);
    const asked = [`${PATH}/runs?limit=7&status=paused%2Cfailed`, undefined];
    expect(server.requests.map(({ url, headers }) => [url, headers['last-event-id']])).toEqual([
      asked,
      asked,
    ]);
  });

  it('may be of gates', async () => {
    server.answer(streamed(frame({ event: 'remove', data: { runId: 'a', gateId: 4 } })));
    const changes = client.watchGates({ workflowId: 'w', status: 'open' });
    expect(await taken(changes, 1)).toEqual([{ type: 'remove', runId: 'a', gateId: 4 }]);
    expect(server.requests[0]?.url).toBe(`${PATH}/gates?status=open&workflowId=w`);
  });
});
