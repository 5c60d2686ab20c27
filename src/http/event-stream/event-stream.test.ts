import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { EventStream, type EventStreamOptions } from './event-stream.js';
import { UNAUTHORIZED, type Frame } from './frames.js';
import { Yielder } from '../../engine/scheduling/yielder.js';
import { UnsentBytes } from './unsent-bytes.js';

const NOTHING = { bytes: 0, taken: () => Promise.resolve() };
const SELDOM = { pingMs: 600_000, stalledMs: 600_000 };

/** Frames that a test gives one at a time, and whether they are still wanted. */
class Given {
  asked = 0;
  isReturned = false;
  signal: AbortSignal | null = null;

  constructor(private readonly frames: AsyncIterable<Frame> | Iterable<Frame>) {}

  readonly source = (signal: AbortSignal): AsyncIterator<readonly Frame[], void, void> => {
    this.signal = signal;
    return this.all();
  };

  private async *all(): AsyncGenerator<readonly Frame[], void, void> {
    try {
      for await (const frame of this.frames) {
        this.asked += 1;
        yield [frame];
      }
    } finally {
      this.isReturned = true;
    }
  }
}

function* endless(bytes: number): Generator<Frame> {
  for (let n = 1; ; n += 1) yield { id: String(n), event: 'x', data: 'x'.repeat(bytes) };
}

const open = (given: Given, options: Partial<EventStreamOptions> = {}, unsent = new UnsentBytes()) =>
  new EventStream(
    given.source,
    { ...SELDOM, ...options },
    { unsent, yielder: new Yielder({ rounds: 1, atOnce: 8 }), onTheWay: NOTHING },
  );
const deaf = () => new Writable({ highWaterMark: 1, write: () => undefined });

async function textOf(stream: EventStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

const turns = async (count: number) => {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('an event stream', () => {
  it('begins with how soon to come again, and ends with its source', async () => {
    const given = new Given([
      { id: '1', event: 'a', data: { text: 'two\nlines\r' } },
      { id: '2' },
      { event: 'end', data: 0 },
    ]);
    expect(await textOf(open(given))).toBe(
      'retry: 2000\n\n' +
        'id: 1\nevent: a\ndata: {"text":"two\\nlines\\r"}\n\n' +
        'id: 2\n\n' +
        'event: end\ndata: 0\n\n',
    );
    expect(given.isReturned).toBe(true);
  });

  it('requests no more from its source than the client can take', async () => {
    const given = new Given(endless(1_000));
    const stream = open(given);
    const client = new Writable({ highWaterMark: 1, write: () => undefined });
    stream.pipe(client);
    await turns(200);
    const asked = given.asked;
    expect(asked).toBeLessThan(40);
    await turns(200);
    expect(given.asked).toBe(asked);
    stream.destroy();
    await once(stream, 'close');
  });

  it('continues where it was when the client takes something again', async () => {
    const given = new Given(endless(1_000));
    const stream = open(given);
    const client = new PassThrough({ highWaterMark: 1 });
    stream.pipe(client);
    await turns(100);
    let text = '';
    client.on('data', (chunk) => (text += String(chunk)));
    while (given.asked < 500) await turns(1);
    stream.destroy();
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual(ids.map((_id, index) => index + 1));
  });

  it('lets go of its source when it is destroyed, also while that has nothing to say', async () => {
    const given = new Given(silent());
    const stream = open(given);
    stream.resume();
    await turns(5);
    stream.destroy();
    await once(stream, 'close');
    expect(given.signal?.aborted).toBe(true);
  });

  it('sends a ping at every interval', async () => {
    const stream = open(new Given(silent()), { pingMs: 100 });
    let text = '';
    stream.on('data', (chunk) => (text += String(chunk)));
    while (text.split(': ping\n\n').length < 4) await once(stream, 'data');
    expect(text).toBe(`retry: 2000\n\n${': ping\n\n'.repeat(3)}`);
    stream.destroy();
  });

  it('disconnects a client that takes nothing for too long, and releases its source', async () => {
    const given = new Given(endless(1_000));
    const stream = open(given, { stalledMs: 100, pingMs: 100 });
    stream.pipe(new Writable({ highWaterMark: 1, write: () => undefined }));
    await once(stream, 'close');
    expect([stream.errored, given.signal?.aborted]).toEqual([null, true]);
    while (!given.isReturned) await turns(1);
  });

  it('requests nothing more while much is on its way, and disconnects a client that takes nothing of that', async () => {
    const given = new Given(endless(1_000));
    const onTheWay = { bytes: 0, taken: () => new Promise<void>(() => undefined) };
    const options = { ...SELDOM, stalledMs: 100 };
    const stream = new EventStream(given.source, options, {
      unsent: new UnsentBytes(),
      yielder: new Yielder({ rounds: 1, atOnce: 8 }),
      onTheWay,
    });
    // The stream takes everything at once, and nothing of it arrives.
    stream.on('data', (chunk: Buffer) => (onTheWay.bytes += chunk.length));
    await once(stream, 'close');
    expect([onTheWay.bytes < 40_000, given.signal?.aborted]).toEqual([true, true]);
  });

  it('disconnects a client that does not take its end either', async () => {
    const stream = open(new Given([{ data: 'x'.repeat(100_000) }]), { stalledMs: 100 });
    stream.pipe(new Writable({ highWaterMark: 1, write: () => undefined }));
    await turns(20);
    stream.end();
    await once(stream, 'close');
    expect(stream.errored).toBe(null);
  });

  it('ends in good order when the service does', async () => {
    const given = new Given(silent());
    const stream = open(given);
    const text = textOf(stream);
    await turns(5);
    stream.end();
    stream.end();
    expect(await text).toBe('retry: 2000\n\n');
    expect(given.signal?.aborted).toBe(true);
  });

  it('ends with a last frame when its client is sent away, and sends nothing more of what was there', async () => {
    const given = new Given(endless(1_000));
    const stream = open(given);
    const client = new PassThrough({ highWaterMark: 1 });
    stream.pipe(client);
    await turns(100);
    stream.dismiss(UNAUTHORIZED);
    stream.dismiss(UNAUTHORIZED);
    let text = '';
    for await (const chunk of client) text += String(chunk);
    expect(text.split(UNAUTHORIZED)).toEqual([expect.stringMatching(/^retry: 2000\n/), '']);
    // What was on its way when it was sent away, and no more.
    expect(text.length).toBeLessThan(40_000);
    expect([given.signal?.aborted, stream.errored]).toEqual([true, null]);
  });

  it('is over soon when the client that is sent away takes nothing', async () => {
    const stream = open(new Given(endless(1_000)));
    stream.pipe(deaf());
    await turns(100);
    stream.dismiss(UNAUTHORIZED);
    await once(stream, 'close');
    expect([stream.errored, stream.readableEnded]).toEqual([null, false]);
  });

  it('breaks off where its client is sent away in the middle of a frame', async () => {
    const stream = open(new Given([{ data: 'x'.repeat(1_000_000) }]));
    stream.pipe(deaf());
    while (stream.readableLength < 60_000) await turns(1);
    stream.dismiss(UNAUTHORIZED);
    await once(stream, 'close');
    expect([stream.errored, stream.readableEnded]).toEqual([null, false]);
  });

  it('is not sent away once it has ended', async () => {
    const stream = open(new Given(silent()));
    const text = textOf(stream);
    await turns(5);
    stream.end();
    stream.dismiss(UNAUTHORIZED);
    expect(await text).toBe('retry: 2000\n\n');
  });

  it('fails with what its source fails with', async () => {
    const failing = (async function* () {
      yield { data: 1 };
      throw new Error('the disk');
    })();
    await expect(textOf(open(new Given(failing)))).rejects.toThrow('the disk');
  });
});

describe('what event streams have not sent', () => {
  const LONG = { items: Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'é"\u2028' })) };
  const snapshot = (data: object): Frame => ({ event: 'snapshot', data, about: data });

  it('is the whole of a long frame, slice by slice, and nothing within it', async () => {
    const unsent = new UnsentBytes();
    const stream = open(new Given([snapshot(LONG), { event: 'end', data: 0 }]), { pingMs: 100 }, unsent);
    const slow = new Writable({
      highWaterMark: 1,
      write: (chunk, _encoding, done) => {
        chunks.push(chunk as Buffer);
        setTimeout(done, 20);
      },
    });
    const chunks: Buffer[] = [];
    stream.pipe(slow);
    await once(slow, 'finish');
    const text = Buffer.concat(chunks).toString().replaceAll(': ping\n\n', '');
    expect(text).toBe(
      `retry: 2000\n\nevent: snapshot\ndata: ${JSON.stringify(LONG)}\n\nevent: end\ndata: 0\n\n`,
    );
    expect(chunks.length).toBeGreaterThan(5);
    expect(unsent.size).toBe(0);
  });

  it('is held once for all streams that send the same, though each has read it separately', async () => {
    const unsent = new UnsentBytes();
    const one = Buffer.byteLength(`event: snapshot\ndata: ${JSON.stringify(LONG)}\n\n`);
    const streams = Array.from({ length: 20 }, (_, n) => {
      const stream = open(new Given([snapshot(n % 2 === 0 ? LONG : structuredClone(LONG))]), {}, unsent);
      stream.pipe(deaf());
      return stream;
    });
    while (unsent.size === 0) await turns(1);
    await turns(100);
    expect(unsent.size).toBe(one);
    for (const stream of streams) stream.destroy();
    expect(unsent.size).toBe(0);
  });

  it('has one bound: beyond it those are disconnected that have gone longest without taking anything', async () => {
    const unsent = new UnsentBytes(1_000_000);
    const page = (n: number) => snapshot({ n, text: 'x'.repeat(300_000) });
    const streams: EventStream[] = [];
    for (let n = 0; n < 5; n += 1) {
      const stream = open(new Given([page(n), page(n + 100)]), {}, unsent);
      stream.pipe(deaf());
      streams.push(stream);
      // A page is written in slices of time, which hold less on a loaded machine.
      await turns(2_000);
    }
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false, false]);
    expect(unsent.size).toBeLessThanOrEqual(1_000_000);
    const reading = open(new Given([page(50), page(51)]), {}, unsent);
    expect((await textOf(reading)).length).toBeGreaterThan(600_000);
    for (const stream of streams) stream.destroy();
    expect(unsent.size).toBe(0);
  });

  it('does not include what a client has taken, however long nothing else is sent', async () => {
    const unsent = new UnsentBytes(1_000_000);
    const readers: EventStream[] = [];
    for (let n = 0; n < 10; n += 1) {
      readers.push(open(new Given(then(snapshot({ n, text: 'x'.repeat(300_000) }))), {}, unsent).resume());
      await turns(30);
    }
    expect(readers.some(({ destroyed }) => destroyed)).toBe(false);
    for (const reader of readers) reader.destroy();
    expect(unsent.size).toBe(0);
  });

  it('may be more than that of one alone', async () => {
    const unsent = new UnsentBytes(1_000_000);
    const stream = open(new Given([snapshot({ text: 'x'.repeat(3_000_000) })]), {}, unsent);
    expect((await textOf(stream)).length).toBeGreaterThan(3_000_000);
    expect(unsent.size).toBe(0);
  });
});

async function* then(frame: Frame): AsyncGenerator<Frame, void, void> {
  yield frame;
  yield* silent();
}

/** A source that never yields a frame. */
async function* silent(): AsyncGenerator<Frame, void, void> {
  await new Promise(() => undefined);
  yield {};
}
