import { changesBetween, namesIn, sectionOf, untold } from '../../tools/release/changes.mjs';
import { flattened, withoutProse } from '../../tools/release/flatten.mjs';

const CHANGELOG = `# Changelog

## [Unreleased]

- \`GET /runs/:runId\` says \`claimed\`, and \`RunFilter\` lost its \`label\`.

## [0.1.0]

- \`FLOWGATE_STORE\`.
`;

describe('what a version changes of what is public', () => {
  const unreleased = sectionOf(CHANGELOG, 'Unreleased') ?? '';

  it('is what one of two lists has alone', () => {
    expect(changesBetween(['a', 'b'], ['b', 'c'])).toEqual({ removed: ['a'], added: ['c'] });
  });

  it.each([
    ['a type', 'flowgate: export interface RunFilter { readonly workflowId?: string; }'],
    ['a route', 'GET /runs/{runId} › 200: {}'],
    ['a field', 'FlowgateRunRecord › properties › claimed › type: "boolean"'],
  ])('is told where the changelog names %s', (_what, line) => {
    expect(untold([line], unreleased)).toEqual([]);
  });

  it.each([
    ['a type', 'flowgate: export class RunFilters {}'],
    ['a route', 'GET /runs/{runId}/events › 200: {}'],
    ['a field', 'FlowgateRunRecord › properties › claimedBy › type: "string"'],
    ['a setting of an older version', '`FLOWGATE_STORE`: sqlite; one of sqlite, memory'],
  ])('is not told where it names %s that is alike', (_what, line) => {
    expect(untold([line], unreleased)).toEqual([line]);
  });

  it('has no section that is not there', () => {
    expect(sectionOf(CHANGELOG, '0.2.0')).toBeNull();
  });

  it('is looked for by names, not by the words of a schema', () => {
    expect(namesIn('FlowgateBinding › properties › retry › properties › maxAttempts › maximum: 10')).toEqual([
      'FlowgateBinding',
      'retry',
      'maxAttempts',
    ]);
  });
});

describe('a document as lines', () => {
  it('keeps what programs see, and leaves out what is for people', () => {
    const schema = {
      description: 'For people',
      type: 'object',
      properties: { description: { type: 'string' } },
    };
    expect(flattened(schema)).toEqual(['properties › description › type: "string"', 'type: "object"']);
    expect(withoutProse(schema)).toBe('{"type":"object","properties":{"description":{"type":"string"}}}');
  });

  it('sorts lists of words, whose order means nothing', () => {
    expect(flattened({ enum: ['b', 'a'] })).toEqual(flattened({ enum: ['a', 'b'] }));
  });
});
