import fc from 'fast-check';
import { ByteCollector } from './byte-collector.js';

const LENGTH = 128 * 1024;

it('gives what came, in whatever pieces, and leaves the pieces alone', () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3_000 }), { maxLength: 20 });
  fc.assert(
    fc.property(pieces, fc.constantFrom(null, 0, 5, 100_000), (arrays, announced) => {
      const collector = new ByteCollector(announced);
      const given = arrays.map((array) => Buffer.from(array));
      for (const piece of given) collector.add(piece);
      expect(collector.taken().equals(Buffer.concat(arrays))).toBe(true);
      expect(given.every((piece, i) => piece.equals(arrays[i]!))).toBe(true);
    }),
  );
});

it('holds one piece as it is', () => {
  const piece = Buffer.from('{"sync":true}');
  const collector = new ByteCollector(piece.length);
  collector.add(piece);
  expect(collector.taken().buffer).toBe(piece.buffer);
});

it('holds at most twice what came, and no more than was announced', () => {
  for (const announced of [null, LENGTH]) {
    const collector = new ByteCollector(announced);
    const byte = Buffer.from('x');
    let most = 0;
    for (let length = 1; length <= LENGTH; length++) {
      collector.add(byte);
      most = Math.max(most, collector.heldBytes / Math.max(length, 512));
    }
    expect(most).toBeLessThanOrEqual(2);
    expect(collector.heldBytes).toBe(LENGTH);
  }
});
