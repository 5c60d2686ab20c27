import fc from 'fast-check';
import { exactId } from './request-id.js';

const shown = (text: string): string =>
  JSON.stringify(exactId((JSON.parse(text) as { id?: unknown }).id, text));

it.each(['1.5', '-0.0', '1e400', '12345678901234567890', '1E+2'])('%s is found as it was written', (id) => {
  const written = Number.isSafeInteger(Number(id)) ? JSON.stringify(Number(id)) : id;
  expect(shown(`{"id":${id}}`)).toBe(written);
  expect(shown(`{ "x" : "\\"id\\":9", "id" :\n${id}\t, "y": [{"id": 4}] }`)).toBe(written);
  expect(shown(`{"id":"first","id":${id}}`)).toBe(written);
  expect(shown(`{"\\u0069d":${id},"idd":3.5}`)).toBe(written);
});

it('is found in whatever else the request holds', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (others, digits) => {
      const { id: _id, ...rest } = others;
      const id = `${digits}.0e-1`;
      const before = JSON.stringify(rest).slice(1, -1);
      fc.pre(!Number.isSafeInteger(Number(id)));
      expect(shown(`{${before}${before === '' ? '' : ','}"id":${id}}`)).toBe(id);
      expect(shown(`{"id":${id}${before === '' ? '' : ','}${before}}`)).toBe(id);
    }),
  );
});

it('is the value itself where the text is gone, or nothing could be lost', () => {
  expect(exactId(1.5, null)).toBe(1.5);
  expect(exactId(7, '{"id":7.0}')).toBe(7);
  expect(exactId('1.5', '{"id":"1.5"}')).toBe('1.5');
});
