import fc from 'fast-check';
import { FrameReader, type Frame } from '../../src/remote/event-frames.js';
import { cpuMs } from '../../../../test/support/cpu-time.js';

function read(...pieces: readonly string[]) {
  const retries: number[] = [];
  const reader = new FrameReader({ onRetry: (ms) => void retries.push(ms) });
  const frames = pieces.flatMap((piece) => reader.take(piece));
  return { frames, retries, pendingChars: reader.pendingChars };
}

const frame = (data: string | null, more: Partial<Frame> = {}): Frame => ({
  id: undefined,
  event: 'message',
  data,
  ...more,
});

describe('frames of an event stream', () => {
  it.each<[string, string, readonly Frame[]]>([
    [
      'a frame with all fields',
      'id: 7\nevent: x\ndata: {"a":1}\n\n',
      [frame('{"a":1}', { id: '7', event: 'x' })],
    ],
    ['values without a blank, or with two', 'data:a\ndata:  b\n\n', [frame('a\n b')]],
    ['comments and fields of nobody', ': ping\n\nnonsense\nother: 1\ndata: a\n\n', [frame('a')]],
    ['a field without a colon', 'data\n\n', [frame('')]],
    ['a frame without data, whose id counts', 'id: 7\n\n', [frame(null, { id: '7' })]],
    ['an event without data, which nobody is told of', 'event: x\n\ndata: a\n\n', [frame('a')]],
    ['an id that holds NUL, which is none', 'id: a\0b\ndata: a\n\n', [frame('a')]],
    ['an id that is empty', 'id\ndata: a\n\n', [frame('a', { id: '' })]],
    ['what has no end', 'data: a\n\ndata: b\n', [frame('a')]],
  ])('are read as the standard has them: %s', (_name, text, frames) => {
    expect(read(text).frames).toEqual(frames);
  });

  it('say how long to wait before coming again, and nothing else does', () => {
    expect(read('retry: 2000\n\nretry: 1e3\nretry: -1\nretry:\n').retries).toEqual([2_000]);
  });

  it('are the same however the text is cut, with any line ends', () => {
    const line = fc.constantFrom('data: ä', 'data: b', 'id: 1', 'id', 'event: x', ': c', 'retry: 5', '', '');
    const ended = fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r'));
    fc.assert(
      fc.property(fc.array(ended), fc.array(fc.nat(200)), (lines, cuts) => {
        // CR before an empty line's LF would be one line end.
        const text = lines
          .map(([one, end], i) => one + (end === '\r' && lines[i + 1]?.join('') === '\n' ? '\n' : end))
          .join('');
        const places = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((to, i) => text.slice(places[i], to));
        const plain = text.replaceAll(/\r\n|\r/g, '\n');
        expect(read(...pieces)).toEqual({ ...read(plain), pendingChars: expect.any(Number) });
      }),
    );
  });

  it('that have no end yet are counted, and a long one costs no more than its length', () => {
    const reader = new FrameReader({ onRetry: () => undefined });
    const began = cpuMs();
    reader.take('data: ');
    for (let i = 0; i < 20_000; i++) reader.take('x'.repeat(1_000));
    expect(reader.pendingChars).toBe(20_000_006);
    expect(reader.take('\n\n')[0]?.data).toHaveLength(20_000_000);
    expect(reader.pendingChars).toBe(0);
    // Joined anew with each piece it would be 200 GB.
    expect(cpuMs() - began).toBeLessThan(10_000);
  });
});
