import { YamlLoadError } from '../../../errors/document-errors.js';
import type { FlowNode, PlanUnit } from '../../core/plan/plan.js';
import { compileWorkflow } from '../compiler/compile.js';
import { sentencesOf } from '../document-warning.js';
import { FaultList } from '../fault-list.js';
import { parseDocument } from '../parse-document.js';
import { checkReads } from './check-reads.js';
import { CountedWork } from './counted-work.js';

const NAMES = { sourceOf: () => 'in-process' as const, known: () => [], bound: () => [] };

type Unit = Readonly<Record<string, unknown>> & { readonly id: string };

function parsed(units: readonly Unit[], flow: unknown) {
  const spec = { units: units.map((unit) => ({ uses: 'work', ...unit })), flow };
  const text = JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id: 'reads' },
    spec,
  });
  return parseDocument(text, { apiGroups: ['flowgate'] });
}

const inOrder = (...order: readonly unknown[]) => ({ type: 'sequential', order });
const choice = (cases: readonly (readonly [string, unknown])[], otherwise?: unknown) => ({
  type: 'switch',
  cases: cases.map(([condition, target]) => ({ if: condition, do: target })),
  ...(otherwise === undefined ? {} : { default: otherwise }),
});

describe('a plain read of x, which never is there,', () => {
  const READS = { id: 'r', with: { a: '${{ outputs.x }}' } };
  const WARNING =
    'spec.units[0].with.a may read outputs.x, which it never is: x is in no flow: name it before r';
  const FAULT = 'outputs.x is never there when this is evaluated: x is in no flow: name it before r';

  function verdictOn(reader: Unit, flow: unknown): readonly string[] {
    try {
      const { warnings } = compileWorkflow(parsed([reader, { id: 'x' }, { id: 'o' }], flow), NAMES);
      return sentencesOf(warnings).filter((warning) => !warning.startsWith('The unit '));
    } catch (error) {
      if (!(error instanceof YamlLoadError)) throw error;
      return error.details.map(({ message }) => `refused: ${message}`);
    }
  }

  it.each<[string, Unit, unknown]>([
    ['the unit’s own if', { ...READS, if: 'has(outputs.x)' }, 'r'],
    ['its own if, by the key in the state', { ...READS, if: '"output.x" in state' }, 'r'],
    ['the case that it is in', READS, choice([['has(outputs.x)', 'r']])],
    ['the case around the flow that it is in', READS, choice([['has(outputs.x)', inOrder('o', 'r')]])],
    ['a case before its own', READS, choice([['!has(outputs.x)', 'o'], ['true', 'r']])], // prettier-ignore
    ['a case, and it is the default', READS, choice([['!has(outputs.x)', 'o']], 'r')],
    ['the case at one of its places', READS, inOrder(inOrder('r'), choice([['has(outputs.x)', 'r']]))],
    [
      'the items of the foreach around',
      READS,
      { type: 'foreach', items: 'has(outputs.x) ? [1] : []', do: 'r' },
    ],
  ])('is warned of where what asks for it is %s', (_where, reader, flow) => {
    expect(verdictOn(reader, flow)).toContain(WARNING);
    expect(verdictOn(reader, flow).join()).not.toContain('refused');
  });

  it.each<[string, Unit, unknown]>([
    ['no condition', READS, 'r'],
    ['its if is another', { ...READS, if: 'input.x == "outputs.x"' }, 'r'],
    ['its if asks for another', { ...READS, if: 'has(outputs.o)' }, inOrder('o', 'r')],
    ['only its input asks', { ...READS, with: { ...READS.with, b: '${{ has(outputs.x) }}' } }, 'r'],
    ['another field named if asks', { ...READS, with: { ...READS.with, if: '${{ has(outputs.x) }}' } }, 'r'],
    ['the case is another', READS, choice([['input.x == "outputs.x"', 'r']])],
    ['the case that asks is after its own', READS, choice([['true', 'r'], ['has(outputs.x)', 'o']])], // prettier-ignore
    ['the case that asks is in another switch', READS, inOrder(choice([['has(outputs.x)', 'o']]), 'r')],
    ['the until of the loop around asks', READS, { type: 'loop', do: 'r', until: 'has(outputs.x)' }],
  ])('is refused where %s', (_where, reader, flow) => {
    expect(verdictOn(reader, flow)).toEqual([`refused: ${FAULT}`]);
  });

  it('is refused in the condition that asks for it itself, and not in the case after that', () => {
    const asksAndReads = '[has(outputs.x), outputs.x == 1] == [true, true]';
    expect(verdictOn({ id: 'r', if: asksAndReads }, 'r')).toEqual([`refused: ${FAULT}`]);
    const inCases = (...conditions: readonly string[]) =>
      verdictOn({ id: 'r' }, choice(conditions.map((one) => [one, 'o'] as const))).join();
    expect(inCases(asksAndReads)).toContain('refused');
    expect(inCases('!has(outputs.x)', 'outputs.x == 1')).not.toContain('refused');
  });
});

describe('what it costs to look at reads that may be missing', () => {
  const CASES = 100;
  const READS = 60;
  /** Unit r stands at many locations, each in a case, and reads what one of the cases before may have written. */
  function attack({ cases = CASES, reads = READS, condition = 'true' } = {}) {
    const ids = Array.from({ length: reads }, (_, index) => `u${index}`);
    const input = `\${{ ${ids.map((id) => `outputs.${id}`).join(' + ')} }}`;
    const units = [{ id: 'r', if: 'input.go', with: { a: input } }, ...ids.map((id) => ({ id }))];
    const places = Array.from({ length: cases }, () => [condition, 'r'] as const);
    const flow = inOrder(choice([['true', { type: 'parallel', units: ids }]]), choice(places));
    return { ids, ...parsed(units, flow) };
  }

  /** How often each condition was looked at, what was reported, and the work; the conditions are watched. */
  function looked(at: ReturnType<typeof attack>, work = new CountedWork()) {
    const { document, positions, ids } = at;
    const { plan } = compileWorkflow(at, NAMES, undefined, { wasAccepted: true });
    const times = { cases: 0, own: 0 };
    const r = plan.units.get('r')!;
    const units = new Map<string, PlanUnit>([...plan.units, ['r', { ...r, condition: spied(r.condition!, () => times.own++) }]]); // prettier-ignore
    for (const node of plan.nodes.values()) watchCases(node, () => times.cases++);
    const faults = new FaultList(positions);
    faults.knowUnits(new Set(plan.units.keys()));
    const told = faults.contextAt('/spec/units/0/with/a').units;
    for (const unitId of ids) told?.read({ unitId, kind: 'plain', path: '', text: '', offset: 0 });
    checkReads(document.spec, { ...plan, units }, faults, work);
    return { times, warnings: faults.warnings.length, faults: faults.count, steps: work.steps };
  }

  it('is one look at each condition around, whatever is read and at however many locations', () => {
    expect(looked(attack()).times.cases).toBe(CASES);
    expect(looked(attack({ condition: 'input.u1 == 1' })).times.cases).toBe(CASES);
  });

  it('is no question about a condition once there are as many warnings as are reported', () => {
    const { times, warnings } = looked(attack());
    expect(warnings).toBe(20);
    expect(times.own).toBeLessThanOrEqual(21);
  });

  it('grows as locations and reads do, not as locations by locations', () => {
    const steps = (cases: number, reads: number) => looked(attack({ cases, reads })).steps;
    expect(steps(2 * CASES, READS)).toBeLessThan(2.1 * steps(CASES, READS));
    expect(steps(CASES, 2 * READS)).toBeLessThan(2.1 * steps(CASES, READS));
    expect(steps(CASES, READS)).toBeLessThan(10 * CASES * READS);
  });

  it('is counted: once there was too much of it, nothing more is refused or warned of', () => {
    const { steps } = looked(attack());
    const bounds = Array.from({ length: 10 }, (_, index) => Math.floor((index * steps) / 10));
    const told = bounds.map((bound) => {
      const worn = looked(attack(), new CountedWork(bound));
      expect(worn.steps).toBeLessThan(bound + 2 * CASES + READS);
      return worn.warnings;
    });
    expect(told[0]).toBe(0);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(looked(attack({ cases: 1 }), new CountedWork(-1))).toMatchObject({ warnings: 0, faults: 0 });
  });

  it('counts the texts that are searched by their length', () => {
    const of = (length: number) => looked(attack({ cases: 2, condition: `"${'-'.repeat(length)}" == ""` }));
    expect(of(9_000).steps - of(0).steps).toBeGreaterThan(20 * 500);
  });
});

it('a read that is asked for is refused at no point at which the work may be worn out', () => {
  const at = parsed(
    [{ id: 'r' }, { id: 'x' }],
    choice(Array.from({ length: 50 }, () => ['has(outputs.x)', 'r'])),
  );
  const { plan } = compileWorkflow(at, NAMES, undefined, { wasAccepted: true });
  const told = (work: CountedWork, asks: number) => {
    const faults = new FaultList(at.positions);
    faults.knowUnits(new Set(plan.units.keys()));
    const read = (path: string, kind: 'plain' | 'asked') =>
      faults.contextAt(path).units?.read({ unitId: 'x', kind, path: '', text: '', offset: 0 });
    read('/spec/units/0/with/a', 'plain');
    for (let index = 0; index < asks; index++) read(`/spec/flow/cases/${index}/if`, 'asked');
    checkReads(at.document.spec, plan, faults, work);
    return [faults.count, faults.warnings.length > 0];
  };
  expect(told(new CountedWork(), 0)).toEqual([1, false]);
  expect(told(new CountedWork(), 50)).toEqual([0, true]);
  for (let bound = 0; bound < 100; bound++) expect(told(new CountedWork(bound), 50)).toEqual([0, false]);
});

function watchCases(node: FlowNode, look: () => void): void {
  if (node.type !== 'switch') return;
  for (const one of node.cases) Object.assign(one, { condition: spied(one.condition, look) });
}

type Condition = NonNullable<PlanUnit['condition']>;

function spied(condition: Condition, look: () => void): Condition {
  const { source } = condition;
  return Object.defineProperty({ ...condition, source }, 'source', {
    get: () => {
      look();
      return source;
    },
  });
}
