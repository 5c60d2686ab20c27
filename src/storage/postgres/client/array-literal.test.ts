import { arrayLiteral } from './array-literal.js';

describe('an array of PostgreSQL', () => {
  it.each([
    [[], '{}'],
    [[1, -2.5, null], '{1,-2.5,NULL}'],
    [[true, false], '{true,false}'],
    [
      ['a', 'running', '01a0c3c5-0000-7000-8000-000000000001'],
      '{a,running,01a0c3c5-0000-7000-8000-000000000001}',
    ],
    [['', 'null', 'NULL', 'a b'], '{"","null","NULL","a b"}'],
    [['a,b', '{c}', ' d'], '{"a,b","{c}"," d"}'],
    [['"', '\\', '\\"'], String.raw`{"\"","\\","\\\""}`],
    [['é', '\n', '␛0000'], '{"é","\n","␛0000"}'],
  ])('of %j is %s', (items, literal) => {
    expect(arrayLiteral(items)).toBe(literal);
  });
});
