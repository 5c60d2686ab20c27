import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { EventStream, type EventStreamOptions } from './event-stream.js';
import type { Frame } from './frames.js';

const SELDOM = { pingMs: 600_000, stalledMs: 600_000 };

/** Frames that a test gives, one by one, and what became of who asks for them. */
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

const open = (given: Given, options: Partial<EventStreamOptions> = {}) =>
  new EventStream(given.source, { ...SELDOM, ...options });

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

  it('asks its source for no more than the client has room for', async () => {
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

  it('goes on where it was when the client takes something again', async () => {
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

  it('sends a line that nobody reads every so often', async () => {
    const stream = open(new Given(silent()), { pingMs: 100 });
    let text = '';
    stream.on('data', (chunk) => (text += String(chunk)));
    while (text.split(': ping\n\n').length < 4) await once(stream, 'data');
    expect(text).toBe(`retry: 2000\n\n${': ping\n\n'.repeat(3)}`);
    stream.destroy();
  });

  it('cuts off who takes nothing for too long, and lets go of its source', async () => {
    const given = new Given(endless(1_000));
    const stream = open(given, { stalledMs: 100, pingMs: 100 });
    stream.pipe(new Writable({ highWaterMark: 1, write: () => undefined }));
    await once(stream, 'close');
    expect([stream.errored, given.signal?.aborted]).toEqual([null, true]);
    while (!given.isReturned) await turns(1);
  });

  it('cuts off who does not take its end either', async () => {
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

  it('fails with what its source fails with', async () => {
    const failing = (async function* () {
      yield { data: 1 };
      throw new Error('the disk');
    })();
    await expect(textOf(open(new Given(failing)))).rejects.toThrow('the disk');
  });
});

/** Says nothing, for ever: it holds nothing that would have to be let go of. */
async function* silent(): AsyncGenerator<Frame, void, void> {
  await new Promise(() => undefined);
  yield {};
}
