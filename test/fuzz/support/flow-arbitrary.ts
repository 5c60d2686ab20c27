import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/engine/index.js';
import { conditions, inPlace, lists } from './expression-arbitrary.js';
import { sizes } from './json-arbitrary.js';
import { units } from './unit-arbitrary.js';

/** All passes of a document together: what is allowed to take long is not what is looked for here. */
const MOST_PASSES = 600;

/** A flow as it is drawn; ids and the share of the passes are handed out when it is written. */
export type Sketch =
  | { readonly kind: 'unit'; readonly unit: JsonObject }
  | { readonly kind: 'again'; readonly at: number }
  | {
      readonly kind: 'sequential' | 'parallel' | 'race' | 'dag' | 'router';
      readonly flows: readonly Sketch[];
      readonly more: JsonObject;
    }
  | { readonly kind: 'switch'; readonly flows: readonly Sketch[]; readonly tests: readonly string[] }
  | {
      readonly kind: 'try';
      readonly body: Sketch;
      readonly handler: Sketch | null;
      readonly more: JsonObject;
    }
  | { readonly kind: 'loop'; readonly body: Sketch; readonly passes: number; readonly more: JsonObject }
  | { readonly kind: 'foreach'; readonly body: Sketch; readonly items: string; readonly more: JsonObject }
  | { readonly kind: 'delegation'; readonly units: readonly JsonObject[]; readonly rounds: number };

const optional = <T>(model: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { requiredKeys: [] }) as unknown as fc.Arbitrary<JsonObject>;
const open = fc.constantFrom(1, 2, 3, 10_000);

const itemLists = fc.oneof(
  fc.constantFrom('input.l', '[1, 2, 3]', '[]', 'input.l.map(x, x)', 'outputs.u0', 'state.l'),
  sizes(60).map((length) => `[${Array.from({ length }, (_, index) => index).join(', ')}]`),
  lists,
);

export const flows: fc.Arbitrary<Sketch> = fc.letrec<{ flow: Sketch }>((tie) => {
  const flow = tie('flow');
  const some = fc.array(flow, { minLength: 1, maxLength: 4 });
  const of = <K extends string>(kind: K, model: object) =>
    fc.record({ kind: fc.constant(kind), ...model }) as unknown as fc.Arbitrary<Sketch>;
  return {
    flow: fc.oneof(
      { maxDepth: 5, depthSize: 'small', withCrossShrink: true },
      { weight: 4, arbitrary: of('unit', { unit: units }) },
      { weight: 1, arbitrary: of('again', { at: fc.nat(5) }) },
      { weight: 2, arbitrary: of('sequential', { flows: some, more: fc.constant({}) }) },
      {
        weight: 1,
        arbitrary: of('parallel', {
          flows: some,
          more: optional({
            failureStrategy: fc.constantFrom('fail-fast', 'collect-errors', 'best-effort'),
            maxConcurrency: open,
          }),
        }),
      },
      {
        weight: 1,
        arbitrary: of('race', { flows: some, more: optional({ winner: fc.constantFrom('s', 'n', 'l') }) }),
      },
      {
        weight: 1,
        arbitrary: of('try', {
          body: flow,
          handler: fc.option(flow),
          more: optional({
            timeout: fc.constantFrom('PT0.01S', 'PT5S', '${{ input.s }}'),
            rethrow: fc.constant(true),
            isCleaned: fc.constant(true),
          }),
        }),
      },
      { weight: 1, arbitrary: of('dag', { flows: some, more: optional({ maxConcurrency: open }) }) },
      { weight: 1, arbitrary: of('router', { flows: some, more: fc.constant({}) }) },
      {
        weight: 1,
        arbitrary: of('switch', { flows: some, tests: fc.array(conditions, { minLength: 4, maxLength: 4 }) }),
      },
      {
        weight: 1,
        arbitrary: of('loop', {
          body: flow,
          passes: sizes(MOST_PASSES).map((passes) => passes + 1),
          more: fc.oneof(
            optional({ until: conditions }),
            optional({ untilStateKey: fc.constantFrom('s', 'n', 'output.u0') }),
          ),
        }),
      },
      {
        weight: 1,
        arbitrary: of('foreach', {
          body: flow,
          items: itemLists,
          more: optional({
            maxConcurrency: open,
            collect: fc.constantFrom('l', 's', 'a', 't'),
            as: fc.constantFrom('it', 'x', 'input'),
            failureStrategy: fc.constantFrom('fail-fast', 'collect-errors', 'best-effort'),
            failures: fc.constantFrom('f', 'l'),
            maxFailures: fc.constantFrom<number | string>(0, 2, '50%'),
            itemKey: fc.constantFrom('string(index)', 'input.s', '"k"'),
          }),
        }),
      },
      {
        weight: 1,
        arbitrary: of('delegation', {
          units: fc.array(units, { minLength: 2, maxLength: 3 }),
          rounds: fc.integer({ min: 1, max: 5 }),
        }),
      },
    ),
  };
}).flow;

/** What surrounds a flow: how many passes it may have, and what its expressions see. */
interface Place {
  readonly passes: number;
  readonly isInLoop: boolean;
  readonly item: string | null;
}

const TOP: Place = { passes: MOST_PASSES, isInLoop: false, item: null };

/** Writes a sketch as the flow of a document; `units` are what it names. */
export class FlowWriter {
  readonly units: JsonObject[] = [];

  write(sketch: Sketch, place: Place = TOP): JsonValue {
    switch (sketch.kind) {
      case 'unit':
        return this.add(sketch.unit, place);
      case 'again':
        return this.units.length === 0
          ? this.add({ uses: 'builtin.mock' }, place)
          : `u${sketch.at % this.units.length}`;
      case 'sequential':
        return { type: 'sequential', order: this.all(sketch.flows, place) };
      case 'parallel':
        return { type: 'parallel', units: this.all(sketch.flows, place), ...sketch.more };
      case 'race':
        return { type: 'race', units: this.all(sketch.flows, place), ...sketch.more };
      case 'try': {
        const { isCleaned, rethrow, ...more } = sketch.more;
        const body = this.write(sketch.body, place);
        const end = sketch.handler === null ? { ignore: true } : { catch: this.write(sketch.handler, place) };
        return {
          type: 'try',
          do: body,
          ...end,
          ...more,
          ...(rethrow === true && sketch.handler !== null ? { rethrow } : {}),
          ...(isCleaned === true ? { finally: this.add({ uses: 'builtin.mock' }, place) } : {}),
        };
      }
      case 'dag':
        return dag(this.all(sketch.flows, place), sketch.more);
      case 'router': {
        const routerUnit = this.add({ uses: 'builtin.mock', config: { route: 'r0' } }, place);
        const routes = this.all(sketch.flows, place).map((one, index) => [`r${index}`, one]);
        return { type: 'router', routerUnit, routes: Object.fromEntries(routes) as JsonObject };
      }
      case 'switch': {
        const tests = sketch.tests.map((test) => inPlace(test, place));
        const cases = this.all(sketch.flows, place).map((one, index) => ({
          if: tests[index] ?? 'true',
          do: one,
        }));
        return { type: 'switch', cases };
      }
      case 'loop': {
        const maxIterations = Math.max(1, Math.min(sketch.passes, Math.floor(place.passes)));
        const inside = { ...place, passes: place.passes / maxIterations, isInLoop: true };
        const more = JSON.parse(inPlace(JSON.stringify(sketch.more), inside)) as JsonObject;
        return { type: 'loop', do: this.write(sketch.body, inside), maxIterations, ...more };
      }
      case 'foreach': {
        // How long the list is only the run knows.
        const inside = { ...place, passes: place.passes / 20, item: String(sketch.more['as'] ?? 'item') };
        const items = inPlace(sketch.items, place);
        return { type: 'foreach', items, do: this.write(sketch.body, inside), ...sketch.more };
      }
      case 'delegation': {
        const [orchestrator = '', ...specialists] = sketch.units.map((unit) => this.add(unit, place));
        return { type: 'delegation', orchestrator, specialists, maxRounds: sketch.rounds };
      }
    }
  }

  /** A unit is only once in one list. */
  private all(sketches: readonly Sketch[], place: Place): JsonValue[] {
    return [...new Set(sketches.map((one) => this.write(one, place)))];
  }

  private add(unit: JsonObject, place: Place): string {
    const id = `u${this.units.length}`;
    const written = JSON.parse(inPlace(JSON.stringify(unit), place)) as JsonObject;
    this.units.push({ id, ...written });
    return id;
  }
}

/** Each executor that is a unit waits for the one before it. */
function dag(executors: readonly JsonValue[], more: JsonObject): JsonValue {
  const dependencies = Object.fromEntries(
    executors.flatMap((one, index) => {
      const before = executors[index - 1];
      return typeof one === 'string' && typeof before === 'string' ? [[one, [before]]] : [];
    }),
  );
  return { type: 'dag', executors: [...executors], dependencies, ...more };
}
