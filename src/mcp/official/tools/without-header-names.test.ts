import { withoutHeaderNames } from './without-header-names.js';

it('the keyword that has an argument repeated in a header is taken out, wherever it stands', () => {
  expect(
    withoutHeaderNames({
      properties: {
        word: { type: 'string', 'x-mcp-header': 'Word' },
        deep: { anyOf: [{ properties: { other: { type: 'string', 'x-mcp-header': 'Other' } } }] },
      },
    }),
  ).toEqual({
    properties: {
      word: { type: 'string' },
      deep: { anyOf: [{ properties: { other: { type: 'string' } } }] },
    },
  });
});

it('an argument of that name stays', () => {
  const schema = { properties: { 'x-mcp-header': { type: 'string' } }, required: ['x-mcp-header'] };
  expect(withoutHeaderNames(schema)).toEqual(schema);
});
