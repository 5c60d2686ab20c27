import { readdirSync, readFileSync } from 'node:fs';
import { readText } from '../../../../src/engine/language/reader/read-document.js';
import type { JsonValue } from '../../../../clients/typescript/src/types/json.js';
import { compileText } from '../../../../test/support/simulated-run.js';
import { flowTreeOf } from './flow-tree.js';

const VALID = 'schemas/fixtures/valid';

function documentOf(text: string): JsonValue {
  const reading = readText(text);
  if (!reading.ok) throw new Error(reading.faults[0]?.message);
  return reading.value as JsonValue;
}

/** Each document that the service compiles with no more than its schema; others name units of their own. */
const compiled = readdirSync(VALID)
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => {
    const text = readFileSync(`${VALID}/${name}`, 'utf8');
    try {
      return [{ name, text, plan: compileText(text) }];
    } catch {
      return [];
    }
  });

describe('the tree of a workflow document', () => {
  it('is compared with the plans of many documents', () => {
    expect(compiled.length).toBeGreaterThan(10);
  });

  it.each(compiled)(
    'names the locations that the plan of $name has, each with its unit',
    ({ text, plan }) => {
      const tree = flowTreeOf(documentOf(text));
      const ours = [...(tree?.nodes.values() ?? [])].map(({ path, type, unitId }) => [path, type, unitId]);
      const theirs = [...plan.nodes.values()]
        .filter(({ path }) => path !== '/spec/onCancel')
        .map((node) => [node.path, node.type, node.type === 'unit' ? node.unitId : null]);
      expect(ours.sort()).toEqual(theirs.sort());
    },
  );

  it('knows in which order executors of a dag wait for one another', () => {
    const tree = flowTreeOf({
      spec: {
        units: [
          { id: 'a', uses: 'x' },
          { id: 'b', uses: 'x' },
          { id: 'c', uses: 'x' },
        ],
        flow: { type: 'dag', executors: ['a', 'b', 'c'], dependencies: { c: ['a', 'b'], b: ['a', 'gone'] } },
      },
    });
    expect(tree?.root.dependencies).toEqual([[], [0], [0, 1]]);
  });

  it.each<[string, JsonValue]>([
    ['a text', 'nothing'],
    ['a document without a flow', { spec: { units: [] } }],
    ['a flow of a type that is not known', { spec: { units: [], flow: { type: 'spiral' } } }],
    ['null', null],
  ])('is none of %s', (_, document) => {
    expect(flowTreeOf(document)).toBeNull();
  });

  it('leaves out what nests deeper than the service takes', () => {
    let flow: JsonValue = 'a';
    for (let depth = 0; depth < 5_000; depth++) flow = { type: 'sequential', order: [flow] };
    const tree = flowTreeOf({ spec: { units: [{ id: 'a', uses: 'x' }], flow } });
    expect(tree?.nodes.size).toBeLessThan(100);
  });
});
