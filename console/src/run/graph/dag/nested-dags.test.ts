import type { JsonValue } from '../../../../../clients/typescript/src/types/json.js';
import { flowTreeOf } from '../../flow/flow-tree.js';
import { layoutOf, rowsByDepth, type Box, type DagPositions } from '../flow-layout.js';
import { dagrePositions } from './dagre-positions.js';

const executors = (...names: string[]) => names;
const inner = {
  type: 'dag',
  executors: executors('c', 'd', 'e'),
  dependencies: { e: ['c', 'd'] },
};
/** A dag inside of a foreach, inside of a parallel, inside of a dag. */
const flow = {
  type: 'dag',
  executors: [
    'a',
    { type: 'parallel', units: [{ type: 'foreach', items: 'input.items', do: inner }, 'f'] },
    'b',
  ],
  dependencies: { b: ['a'] },
};

function treeOf(of: JsonValue) {
  const tree = flowTreeOf({ spec: { units: [...'abcdef'].map((id) => ({ id, uses: 'x' })), flow: of } });
  if (tree === null) throw new Error('It is no flow.');
  return tree;
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe('dags inside of dags', () => {
  it('are laid out from the inside, so that the outer one knows how large they are', () => {
    const asked: string[] = [];
    const tree = treeOf(flow);
    const layout = layoutOf(tree.root, (node, sizes) => {
      asked.push(node.path);
      return dagrePositions(node, sizes);
    });
    expect(asked).toEqual(['/spec/flow/executors/1/units/0/do', '/spec/flow']);
    layout.units.forEach((unit, index) => {
      for (const other of layout.units.slice(index + 1)) expect(overlap(unit, other)).toBe(false);
    });
    const at = (id: string): Box => layout.units.find(({ node }) => node.unitId === id)!;
    expect(at('e').y).toBeGreaterThan(at('c').y);
    expect(at('b').y).toBeGreaterThan(at('a').y);
  });

  it('go together where only the inner ones were answered for in time', () => {
    const tree = treeOf(flow);
    const answered = new Map<string, DagPositions>();
    layoutOf(tree.root, (node, sizes) => {
      const positions = dagrePositions(node, sizes);
      if (answered.size === 0) answered.set(node.path, positions);
      return positions;
    });
    const layout = layoutOf(tree.root, (node, sizes) => answered.get(node.path) ?? rowsByDepth(node, sizes));
    expect(layout.units).toHaveLength(6);
    layout.units.forEach((unit, index) => {
      for (const other of layout.units.slice(index + 1)) expect(overlap(unit, other)).toBe(false);
      for (const frame of layout.frames)
        if (!unit.node.path.startsWith(`${frame.node.path}/`)) expect(overlap(frame, unit)).toBe(false);
    });
  });

  it('that wait for one another in a circle are drawn all the same', () => {
    const circle = { type: 'dag', executors: ['a', 'b'], dependencies: { a: ['b'], b: ['a'] } };
    expect(layoutOf(treeOf(circle).root, dagrePositions).units).toHaveLength(2);
  });
});
