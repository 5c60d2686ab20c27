import fc from 'fast-check';
import { ExpressionError, YamlLoadError, YamlValidationError } from '../../src/errors/document-errors.js';
import type { Expression, ExpressionScope } from '../../src/engine/core/plan/expression.js';
import type { Plan, PlanUnit } from '../../src/engine/core/plan/plan.js';
import { compileWorkflow } from '../../src/engine/language/compiler/compile.js';
import { sentencesOf } from '../../src/engine/language/document-warning.js';
import { UnitOrder, type Presence, type Standpoint } from '../../src/engine/language/order/unit-order.js';
import { parseDocument } from '../../src/engine/language/parse-document.js';
import { compileText, SimulatedRun } from '../support/simulated-run.js';
import { workflowText } from '../support/workflow-arbitrary.js';
import { lawCases, shownUntil } from '../support/law-cases.js';

const numRuns = lawCases(400);
const dice = fc.infiniteStream(fc.nat(0xffff));

type Dice = { next(): { value?: number } };
type Roll = (sides: number) => number;
const rolling =
  (random: Dice): Roll =>
  (sides) =>
    random.next().value! % sides;

interface Document {
  readonly spec: {
    readonly units: readonly (Record<string, unknown> & { readonly id: string; readonly uses: string })[];
    readonly flow: unknown;
  };
}

/** Makes some of its units one unit that stands at several locations, where the language allows that. */
function withUnitsNamedTwice(text: string, roll: Roll): string {
  let written = text;
  for (let tries = 0; tries < 3; tries++) {
    const document = JSON.parse(written) as Document;
    const plain = document.spec.units.filter(
      ({ uses, ...more }) => uses === 'work' && Object.keys(more).length === 1,
    );
    const [kept, gone] = [plain[roll(plain.length + 1)], plain[roll(plain.length + 1)]];
    if (kept === undefined || gone === undefined || kept === gone) continue;
    const units = document.spec.units.filter((unit) => unit !== gone);
    const renamed = JSON.stringify({ ...document, spec: { ...document.spec, units } }).replaceAll(
      `"${gone.id}"`,
      `"${kept.id}"`,
    );
    try {
      compileText(renamed);
      written = renamed;
    } catch (error) {
      if (!(error instanceof YamlLoadError || error instanceof YamlValidationError)) throw error;
    }
  }
  return written;
}

/** Runs the workflow, with pauses, crashes, a rewind, a cancel or a fork on the way. */
function play(plan: Plan, roll: Roll): void {
  const run = new SimulatedRun(plan);
  let disturbances = 0;
  const disturb = (one: SimulatedRun) => (): void => {
    if (disturbances >= 6 || roll(4) !== 0) return;
    disturbances++;
    const what = roll(5);
    if (what === 0) one.ask('pause', roll(2) * 50);
    else if (what === 1) one.crash(one.log.length);
    else if (what === 2) one.ask('cancel', roll(2) * 50);
    else if (what === 3) {
      const checkpoints = one.log.filter(({ type }) => type === 'unit-finished');
      if (checkpoints.length > 0) one.rewind(checkpoints[roll(checkpoints.length)]!.seq);
    }
  };
  run.finish(roll, disturb(run));
  // No fork begins in the clean-up of a run that was cancelled: the service refuses it.
  const cleanUp = run.log.findIndex(({ type }) => type === 'clean-up-started');
  const before = cleanUp === -1 ? run.log : run.log.slice(0, cleanUp);
  const ends = before.filter(({ type }) => type === 'unit-finished');
  if (ends.length === 0) return;
  const fork = run.fork(ends[roll(ends.length)]!.seq);
  fork.finish(roll, disturb(fork));
}

/** Wraps an expression to report each evaluation; null: there was none, and `otherwise` is the value. */
function spyOn(
  expression: Expression | null,
  otherwise: (scope: ExpressionScope) => ReturnType<Expression['evaluate']>,
  told: (scope: ExpressionScope) => void,
): Expression {
  const evaluate = (scope: ExpressionScope) => {
    told(scope);
    return expression === null ? otherwise(scope) : expression.evaluate(scope);
  };
  return { source: 'spied', evaluate, toStored: () => ({}) };
}

function together(found: readonly Presence[]): Presence {
  const [one = 'unknown', ...others] = new Set(found);
  return others.length === 0 ? one : 'sometimes';
}

interface Seen {
  readonly at: readonly Standpoint[];
  readonly outputs: ReadonlySet<string>;
}

/** Runs a plan whose expressions are all watched, and returns the outputs that were there at each evaluation. */
function watched(plan: Plan, order: UnitOrder, roll: Roll): readonly Seen[] {
  const seen: Seen[] = [];
  const watch = (at: readonly Standpoint[]) => (scope: ExpressionScope) => {
    const keys = [...scope.state.keys()].filter((key) => key.startsWith('output.'));
    seen.push({ at, outputs: new Set(keys.map((key) => key.slice('output.'.length))) });
  };
  const units = new Map<string, PlanUnit>();
  for (const [id, unit] of plan.units) {
    const told = watch(order.locationsOf(id).map((node) => ({ when: 'entering', node })));
    const condition = spyOn(unit.condition, () => true, told);
    const input = unit.uses === 'work' ? { input: spyOn(unit.input, ({ input: whole }) => whole, told) } : {};
    units.set(id, { ...unit, condition, ...input });
  }
  for (const node of plan.nodes.values()) {
    const entering = watch([{ when: 'entering', node }]);
    const set = (target: object, values: object): void => void Object.assign(target, values);
    if (node.type === 'switch')
      for (const one of node.cases) set(one, { condition: spyOn(one.condition, () => null, entering) });
    if (node.type === 'foreach') set(node, { items: spyOn(node.items, () => null, entering) });
    if (node.type === 'loop' && node.until !== null)
      set(node, { until: spyOn(node.until, () => null, watch([{ when: 'left', node }])) });
  }
  play({ ...plan, units }, roll);
  return seen;
}

describe('what is said of the outputs that an expression reads, in a random workflow,', () => {
  it('is so whenever one is evaluated: what never can have run is not there, what always has is', () => {
    let never = 0;
    let always = 0;
    const showRound = (): void =>
      fc.assert(
        fc.property(workflowText, dice, (text, random) => {
          const roll = rolling(random);
          const plan = compileText(withUnitsNamedTwice(text, roll));
          const units = new Map([...plan.units].map(([id, unit]) => [id, { ...unit }]));
          const known = new Map<readonly Standpoint[], Map<string, Presence>>();
          const order = new UnitOrder({ ...plan, units, nodes: plan.nodes.values() });
          const presenceAt = (id: string, at: readonly Standpoint[]): Presence => {
            const here = known.get(at) ?? new Map<string, Presence>();
            known.set(at, here);
            const presence = here.get(id) ?? together(at.map((one) => order.presenceAt(id, one)));
            here.set(id, presence);
            return presence;
          };
          for (const { at, outputs } of watched(plan, order, roll)) {
            for (const id of units.keys()) {
              const presence = presenceAt(id, at);
              if (presence === 'never') never++;
              if (presence === 'always') always++;
              expect([
                presence === 'never' && outputs.has(id),
                presence === 'always' && !outputs.has(id),
                id,
              ]).toEqual([false, false, id]);
            }
          }
        }),
        { numRuns },
      );
    // Without enough cases of both kinds the test would prove nothing.
    expect(shownUntil(() => Math.min(never, always) > numRuns, showRound)).toBe(true);
  }, 120_000);

  it('refuses no document whose expression has a value in some run, and is silent only where it has one in each', () => {
    const counts = { refused: 0, warned: 0, silent: 0 };
    const showRound = (): void =>
      fc.assert(
        fc.property(workflowText, dice, (text, random) => {
          const roll = rolling(random);
          const document = JSON.parse(withUnitsNamedTwice(text, roll)) as Document;
          const readers = document.spec.units.filter(({ uses }) => uses === 'work');
          const reader = readers[roll(readers.length || 1)];
          if (reader === undefined) return;
          const read = document.spec.units[roll(document.spec.units.length)]!.id;
          const units = document.spec.units.map((unit) =>
            unit === reader ? { ...unit, with: { value: `\${{ outputs.${read} }}` } } : unit,
          );
          const changed = JSON.stringify({ ...document, spec: { ...document.spec, units } });
          const verdict = verdictOn(changed, reader.id);
          counts[verdict]++;
          const plan = compiled(changed, true).plan;
          const results = { values: 0, failures: 0 };
          const unit = plan.units.get(reader.id)!;
          const input = countingResults(unit.input!, results);
          play({ ...plan, units: new Map([...plan.units, [unit.id, { ...unit, input }]]) }, roll);
          if (verdict === 'refused') expect(results.values).toBe(0);
          if (verdict === 'silent') expect(results.failures).toBe(0);
        }),
        { numRuns },
      );
    const hasEnough = (): boolean => Object.values(counts).every((count) => count > numRuns / 50);
    expect(shownUntil(hasEnough, showRound)).toBe(true);
  }, 120_000);

  it('refuses no document whose read is under a condition that requires it, and such a read never fails', () => {
    const results = { values: 0, failures: 0 };
    const showRound = (): void =>
      fc.assert(
        fc.property(workflowText, dice, (text, random) => {
          const roll = rolling(random);
          const document = JSON.parse(withUnitsNamedTwice(text, roll)) as Document;
          const readers = document.spec.units.filter(({ uses }) => uses === 'work');
          const reader = readers[roll(readers.length || 1)];
          if (reader === undefined) return;
          const read = document.spec.units[roll(document.spec.units.length)]!.id;
          const asking = { if: `has(outputs.${read})`, with: { value: `\${{ outputs.${read} }}` } };
          const units = document.spec.units.map((unit) => (unit === reader ? { ...unit, ...asking } : unit));
          const { plan } = compiled(
            JSON.stringify({ ...document, spec: { ...document.spec, units } }),
            false,
          );
          const unit = plan.units.get(reader.id)!;
          const input = countingResults(unit.input!, results);
          play({ ...plan, units: new Map([...plan.units, [unit.id, { ...unit, input }]]) }, roll);
          expect(results.failures).toBe(0);
        }),
        { numRuns: Math.ceil(numRuns / 4) },
      );
    // Without enough reads that have a value the test would prove nothing.
    expect(shownUntil(() => results.values > numRuns / 50, showRound)).toBe(true);
  }, 120_000);
});

function compiled(text: string, wasAccepted: boolean) {
  const names = { sourceOf: () => 'in-process' as const, known: () => [], bound: () => [] };
  return compileWorkflow(parseDocument(text, { apiGroups: ['flowgate'] }), names, undefined, { wasAccepted });
}

function verdictOn(text: string, reader: string): 'refused' | 'warned' | 'silent' {
  try {
    const warnings = sentencesOf(compiled(text, false).warnings);
    const isUnused = warnings.some((warning) => warning.startsWith(`The unit ${reader} is in no flow`));
    return isUnused || warnings.some((warning) => warning.includes('may be missing')) ? 'warned' : 'silent';
  } catch (error) {
    if (!(error instanceof YamlLoadError)) throw error;
    expect(error.message).toContain('is never there when this is evaluated');
    return 'refused';
  }
}

function countingResults(input: Expression, results: { values: number; failures: number }): Expression {
  return {
    source: input.source,
    toStored: () => input.toStored(),
    evaluate: (scope) => {
      try {
        const value = input.evaluate(scope);
        results.values++;
        return value;
      } catch (error) {
        if (error instanceof ExpressionError) results.failures++;
        throw error;
      }
    },
  };
}
