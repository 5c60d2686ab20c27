import { jest } from '@jest/globals';
import { builtDocumentWorker } from '../../../../test/support/built-document-worker.js';
import { documentJob } from '../../../../test/support/document-jobs.js';
import { yamlOf } from '../../../../test/support/registrars.js';
import type { JsonObject } from '../../core/json.js';
import { encodePlan } from '../../language/stored-plan/plan-codec.js';
import type { DocumentJob } from '../compile-document.js';
import { languageTools } from '../language-tools.js';
import { OffLoop } from './off-loop.js';

const jobOf = (yaml: string): DocumentJob => documentJob(yaml, ['remote']);
const unitsOf = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ id: `u${index}`, uses: 'work', ...more }));
const large = yamlOf('large', { units: unitsOf(2_000, { with: { text: '${{ state.a }}', n: 1 } }) });

const UNUSED = {
  code: 'unused-binding',
  path: 'bindings["remote"]',
  line: null,
  column: null,
  message: 'The binding remote is used by no unit.',
};

describe.each([
  ['in a thread', builtDocumentWorker],
  ['on the event loop, where there is no thread', null],
])('a large document, %s', (_where, worker) => {
  const compiler = new OffLoop(worker);
  afterAll(() => compiler.close());
  const alone = new OffLoop(null);

  it('comes to the same plan, warnings and text as anywhere', async () => {
    const one = await compiler.compile(jobOf(large));
    const other = await alone.compile(jobOf(large));
    expect(one.plan.hash).toBe(other.plan.hash);
    expect(encodePlan(one.plan)).toEqual(encodePlan(other.plan));
    expect({ ...one, plan: null }).toEqual({ ...other, plan: null });
    expect(one.warnings).toEqual([UNUSED]);
  });

  it('is only checked without reading its plan', async () => {
    const { readPlanText } = await languageTools();
    const read = jest.spyOn(JSON, 'parse');
    try {
      expect(await compiler.check(jobOf(large))).toEqual({
        workflowId: 'large',
        uses: ['work'],
        warnings: [UNUSED],
        children: [],
        secrets: [],
      });
      expect(read).not.toHaveBeenCalled();
      readPlanText((await alone.compile(jobOf(large))).text);
      expect(read).toHaveBeenCalled();
    } finally {
      read.mockRestore();
    }
  });

  it.each([
    ['that is no YAML', `${large}]`, 'yaml-validation', 'The workflow is not valid at 1:'],
    ['with an unknown unit', large.replace('"work"', '"wrok"'), 'yaml-load', 'did you mean work'],
    [
      'of more expressions than there may be',
      yamlOf('w', {
        units: unitsOf(1_000, {
          with: { x: `\${{ ${'1 + '.repeat(150)}1 }}`, y: `\${{ ${'1 + '.repeat(150)}1 }}` },
        }),
      }),
      'yaml-load',
      'a workflow may have 1000000 characters of expressions together',
    ],
    [
      'whose flows name all units again and again',
      yamlOf('w', {
        units: unitsOf(1_000),
        flow: { type: 'parallel', units: Array.from({ length: 200 }, () => ({ type: 'sequential' })) },
      }),
      'yaml-load',
      'a workflow may name 25000 units and flows in its flow',
    ],
    [
      'that grows by its aliases',
      large
        .replace('"spec":{', `"spec":{"x":0,`)
        .replace('"x":0,', '')
        .replace('"with":{', `"with":{"a":&a "${'y'.repeat(200_000)}",${names(99)}`),
      'yaml-load',
      'and 16777216 are the most',
    ],
  ])('is refused in words: one %s', async (_name, yaml, code, message) => {
    const refusal = expect.objectContaining({ code, message: expect.stringContaining(message) });
    await expect(compiler.compile(jobOf(yaml))).rejects.toEqual(refusal);
  });

  it('is refused for an input schema that is exponential, however short it is', async () => {
    const doubled = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `d${n}`,
        { anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    );
    const input = { $ref: '#/$defs/d0', $defs: { ...doubled, d30: { type: 'string' } } };
    await expect(compiler.compile(jobOf(yamlOf('w', { input })))).rejects.toThrow(
      'with its references followed it has more than 100000 parts',
    );
  });
});

function names(count: number): string {
  return Array.from({ length: count }, (_, n) => `"a${n}":*a ,`).join('');
}

describe('an input that is checked in the thread', () => {
  beforeAll(languageTools);
  const checker = new OffLoop(builtDocumentWorker);
  afterAll(() => checker.close());
  const numbers = { properties: { x: { items: { type: 'number' } } } };
  const many = (last: unknown) => ({ x: [...Array.from({ length: 200_000 }, () => 1), last] }) as JsonObject;

  it('is one that would take a while, and its faults are the same', async () => {
    expect(checker.checkInput(numbers, { x: [1, 'a'] })).toEqual([
      { path: '/x/1', message: 'input.x.1 must be number' },
    ]);
    const faults = checker.checkInput(numbers, many('a'));
    expect(faults).toBeInstanceOf(Promise);
    expect(await faults).toEqual([{ path: '/x/200000', message: 'input.x.200000 must be number' }]);
    expect(await checker.checkInput(numbers, many(2))).toEqual([]);
  });

  it('may be of a schema that comes back to itself twice in every level: deep ones are not for the loop', async () => {
    const child = { properties: { a: { $ref: '#/$defs/n' } }, required: ['z'] };
    const twice = { $defs: { n: { anyOf: [child, child] } }, $ref: '#/$defs/n' };
    const nested = (depth: number): JsonObject => (depth === 0 ? {} : { a: nested(depth - 1) });
    expect(checker.checkInput(twice, nested(2))).toContainEqual({
      path: '',
      message: "input must have required property 'z'",
    });
    const deep = checker.checkInput(twice, nested(12));
    expect(deep).toBeInstanceOf(Promise);
    expect((await deep).length).toBeGreaterThan(0);
  });
});

describe('without a thread', () => {
  it('an input that would take too long is refused', async () => {
    const schema = { properties: { x: { anyOf: Array.from({ length: 300 }, () => ({ minLength: 9 })) } } };
    const input = { x: 'y'.repeat(8_000_000) };
    expect(await new OffLoop(null).checkInput(schema, input)).toEqual([
      { path: '', message: 'input is too long to be checked against spec.input: shorten it' },
    ]);
  });
});
