import { StreamableFile } from '@nestjs/common';
import { inChunksIfLong, isLong } from './long-response.js';

const ITEMS = 400;
const ITEM_CHARS = 65_536;

/** A response that records which of its items were read; its text has about 26 MB. */
function longResponse() {
  const looked: number[] = [];
  const items = Array.from({ length: ITEMS }, (_, i) => ({
    get text() {
      looked.push(i);
      return 'x'.repeat(ITEM_CHARS);
    },
  }));
  return { answer: { items }, looked };
}

describe('a response', () => {
  it('that is short is itself', () => {
    const response = { runId: 'a', text: 'x'.repeat(200_000) };
    expect(isLong(response)).toBe(false);
    expect(inChunksIfLong(response)).toBe(response);
  });

  it('that is long is JSON in bounded chunks, and yields to the event loop in between', async () => {
    const { answer: response } = longResponse();
    const file = inChunksIfLong(response) as StreamableFile;
    expect(file).toBeInstanceOf(StreamableFile);
    expect(file.getHeaders()).toMatchObject({ type: 'application/json; charset=utf-8', length: undefined });
    let turns = 0;
    let counting = setImmediate(function count() {
      turns++;
      counting = setImmediate(count);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of file.getStream()) chunks.push(chunk as Buffer);
    clearImmediate(counting);
    expect(Buffer.concat(chunks).toString() === JSON.stringify(response)).toBe(true);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(3 * ITEM_CHARS);
    expect(turns).toBeGreaterThan(1);
  });

  it('is written no faster than it is taken, and no further once its client has gone', async () => {
    const { answer: response, looked } = longResponse();
    const stream = (inChunksIfLong(response) as StreamableFile).getStream();
    await new Promise((resolve) => stream.once('readable', resolve));
    expect(stream.read(1)).not.toBeNull();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(Math.max(...looked)).toBeLessThan(20);
    stream.destroy();
    const before = looked.length;
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(looked.length).toBe(before);
  });
});
