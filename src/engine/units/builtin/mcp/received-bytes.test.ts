import { LargeResponses } from '../../http/large-responses/large-responses.js';
import { GATHERED_BYTES, ReceivedBytes } from './received-bytes.js';

const MAX_BYTES = 1024 * 1024;

function received(): ReceivedBytes {
  return new ReceivedBytes({
    maxBytes: MAX_BYTES,
    largeResponses: new LargeResponses(),
    holder: {},
    failed: () => undefined,
  });
}

async function* chunks(count: number, bytes: number): AsyncGenerator<Uint8Array, void> {
  for (let sent = 0; sent < count; sent += 1) yield new Uint8Array(bytes);
}

/** How many bytes of all bodies together were taken in, by round of the event loop. */
async function bytesByRound(bodies: readonly AsyncIterable<Uint8Array>[]): Promise<number[]> {
  const rounds = [0];
  let isOver = false;
  const next = () => {
    rounds.push(0);
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  await Promise.all(
    bodies.map(async (body) => {
      for await (const { length } of body) rounds[rounds.length - 1] = (rounds.at(-1) ?? 0) + length;
    }),
  );
  isOver = true;
  return rounds;
}

describe('what a server sends to an MCP unit', () => {
  it('is passed on as it arrives: a small frame does not wait for more', async () => {
    const frame = new TextEncoder().encode('data: 1\n\n');
    const thenNothing = (async function* () {
      yield frame;
      await new Promise<never>(() => undefined);
    })();
    expect(await received().counted(thenNothing).next()).toEqual({ done: false, value: frame });
  });

  it('is taken in up to 16 KiB before it yields to the event loop, however small its chunks are', async () => {
    const rounds = await bytesByRound([received().counted(chunks(10 * GATHERED_BYTES, 1))]);
    expect(Math.max(...rounds)).toBeLessThanOrEqual(2 * GATHERED_BYTES);
    expect(rounds.reduce((sum, bytes) => sum + bytes)).toBe(10 * GATHERED_BYTES);
  });

  it('is taken in from one body after another, where there are many', async () => {
    const bodies = Array.from({ length: 20 }, () => received().counted(chunks(64, 1_024)));
    const [, ...rounds] = await bytesByRound(bodies);
    expect(Math.max(...rounds)).toBeLessThanOrEqual(2 * GATHERED_BYTES);
  });
});
