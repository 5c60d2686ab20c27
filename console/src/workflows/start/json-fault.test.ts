import { readInput } from './json-fault.js';

it('takes an object, and nothing for an empty one', () => {
  expect(readInput('{"a": 1}')).toEqual({ ok: true, value: { a: 1 } });
  expect(readInput('  \n')).toEqual({ ok: true, value: {} });
});

it.each(['[]', '7', 'null', '"a"'])('%s is no input', (text) => {
  expect(readInput(text)).toEqual({ ok: false, fault: expect.stringContaining('no JSON object') });
});

it('says where broken JSON is broken', () => {
  expect(readInput('{\n  "a": 1,\n  "b": ,\n}')).toEqual({
    ok: false,
    fault: 'This is no JSON: line 3, column 8',
  });
  expect(readInput('{"a": 1')).toEqual({ ok: false, fault: 'This is no JSON: line 1, column 8' });
});
