import fc from 'fast-check';
import { EventFrames, type EventFrame } from './event-frames.js';

function framesOf(...pieces: readonly string[]): EventFrame[] {
  const frames = new EventFrames();
  return pieces.flatMap((piece) => [...frames.feed(piece)].filter((frame) => frame !== null));
}

const plain = { id: null, event: null, retryMs: null };

describe('a stream of events', () => {
  it.each([
    ['lines of data, whatever ends them', 'data: a\n\ndata:b\r\n\r\ndata: c\r\r', ['a', 'b', 'c']],
    ['several lines of data', 'data: a\ndata:  b\ndata\n\n', ['a\n b\n']],
    ['comments and unknown fields', ': hello\nfoo: bar\ndata: a\n\n:\n\n', ['a']],
    ['an end before that of an event', 'data: a\n\ndata: b\n', ['a']],
    ['colons and spaces in its data', 'data: a: b \n\n', ['a: b ']],
  ])('is split into its frames: %s', (_what, text, data) => {
    expect(framesOf(text)).toEqual(data.map((one) => ({ ...plain, data: one })));
  });

  it('keeps ids, kinds and retry times', () => {
    expect(framesOf('id: 7\nevent: message\nretry: 20\ndata: a\n\nid: 8\ndata:\n\nretry: 9\n\n')).toEqual([
      { id: '7', event: 'message', retryMs: 20, data: 'a' },
      { ...plain, id: '8', data: '' },
      { ...plain, retryMs: 9, data: null },
    ]);
  });

  it('has no ids that fit no header, and no retry times that fit no timer', () => {
    expect(framesOf(`id: ${'x'.repeat(2_000)}\nretry: 9999999999\ndata: a\n\n`)).toEqual([
      { ...plain, retryMs: 2_147_483_647, data: 'a' },
    ]);
    expect(framesOf('id: a\0b\nretry: 99999999999\nretry: -1\ndata: a\n\n')).toEqual([
      { ...plain, data: 'a' },
    ]);
  });

  it('is the same in whatever pieces it arrives', () => {
    const line = fc.constantFrom('data: a', 'data', 'id: 1', 'event: x', ': c', '', '', 'retry: 5', 'xyz');
    const end = fc.constantFrom('\n', '\r\n', '\r');
    const text = fc.array(fc.tuple(line, end).map((parts) => parts.join(''))).map((lines) => lines.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 60 })), (whole, cuts) => {
        const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end_, index) => whole.slice(at[index], end_));
        expect(framesOf(...pieces)).toEqual(framesOf(whole));
      }),
    );
  });
});
