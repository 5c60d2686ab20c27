import fc from 'fast-check';
import { readText } from '../../../../src/engine/language/reader/read-document.js';
import { timedWorkflowText } from '../../../../test/support/workflow-arbitrary.js';
import type { JsonValue } from '../../../../clients/typescript/src/types/json.js';
import { flowTreeOf } from '../flow/flow-tree.js';
import { layoutOf, type Box, type FlowLayout } from './flow-layout.js';
import { nearestUnit } from './nearest-unit.js';

function laidOut(flow: JsonValue): FlowLayout {
  const units = [...'abcdefgh'].map((id) => ({ id, uses: 'x' }));
  const tree = flowTreeOf({ spec: { units, flow } });
  if (tree === null) throw new Error('It is no flow.');
  return layoutOf(tree.root);
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const holds = (outer: Box, inner: Box): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;
const unitIn = ({ units }: FlowLayout, id: string) => units.find(({ node }) => node.unitId === id)!;

describe('the layout of a flow', () => {
  it('puts steps below one another, and branches next to one another', () => {
    const layout = laidOut({
      type: 'sequential',
      order: ['a', { type: 'parallel', units: ['b', 'c'], reducer: 'd' }, 'e'],
    });
    const [a, b, c, d, e] = [...'abcde'].map((id) => unitIn(layout, id));
    expect(b!.y).toBe(c!.y);
    expect(b!.x).toBeLessThan(c!.x);
    expect([a!.y < b!.y, c!.y < d!.y, d!.y < e!.y]).toEqual([true, true, true]);
    expect(a!.x).toBe(e!.x);
  });

  it('labels the lanes of a try and the cases of a switch', () => {
    const choice = { type: 'switch', cases: [{ if: 'input.ok', do: 'b' }], default: 'c' };
    const layout = laidOut({ type: 'try', do: choice, catch: 'd', finally: 'e' });
    expect(layout.labels.map(({ text }) => text).sort()).toEqual([
      'catch',
      'do',
      'else',
      'finally',
      'if input.ok',
    ]);
  });

  it('puts executors of a dag below what they wait for', () => {
    const layout = laidOut({ type: 'dag', executors: ['a', 'b', 'c'], dependencies: { c: ['a', 'b'] } });
    expect(unitIn(layout, 'c').y).toBeGreaterThan(unitIn(layout, 'a').y);
    expect(unitIn(layout, 'a').y).toBe(unitIn(layout, 'b').y);
  });

  it('has no two units in one place, and each inside of the frames around it', () => {
    fc.assert(
      fc.property(timedWorkflowText, (text) => {
        const reading = readText(text);
        const tree = flowTreeOf(reading.ok ? (reading.value as JsonValue) : null);
        const layout = layoutOf(tree!.root);
        layout.units.forEach((unit, index) => {
          for (const other of layout.units.slice(index + 1)) expect(overlap(unit, other)).toBe(false);
          for (const frame of layout.frames)
            if (unit.node.path.startsWith(`${frame.node.path}/`)) expect(holds(frame, unit)).toBe(true);
            else expect(overlap(frame, unit)).toBe(false);
          expect(holds({ x: 0, y: 0, width: layout.width, height: layout.height }, unit)).toBe(true);
        });
      }),
      { numRuns: 100 },
    );
  });
});

describe('arrow keys', () => {
  const layout = laidOut({ type: 'sequential', order: ['a', { type: 'parallel', units: ['b', 'c'] }, 'd'] });
  const from = (id: string, key: Parameters<typeof nearestUnit>[2]): string | null | undefined =>
    nearestUnit(layout.units, unitIn(layout, id), key)?.node.unitId;

  it('lead to what is nearest in their direction, and nowhere at the edge', () => {
    expect([
      from('b', 'ArrowRight'),
      from('c', 'ArrowLeft'),
      from('b', 'ArrowUp'),
      from('c', 'ArrowDown'),
    ]).toEqual(['c', 'b', 'a', 'd']);
    expect(from('a', 'ArrowDown')).toBe('b');
    expect([from('a', 'ArrowUp'), from('b', 'ArrowLeft')]).toEqual([undefined, undefined]);
  });
});
