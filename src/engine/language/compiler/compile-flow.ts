import { isReservedKey } from '../../core/plan/reserved-key.js';
import type { NodePath } from '../../core/log/event.js';
import { childPath } from '../../core/plan/node-path.js';
import type { FlowNode, MaxFailures, ParallelNode } from '../../core/plan/plan.js';
import { expressionAt, templateAt } from './compile-expression.js';
import { parseDuration } from '../../core/plan/duration.js';
import type { Expression } from '../../core/plan/expression.js';
import type { Surroundings } from '../expression/surroundings.js';
import { compileDependencies } from './compile-dag.js';
import type {
  DagDocument,
  DelegationDocument,
  FlowDocument,
  FlowObjectDocument,
  ForeachDocument,
  LoopDocument,
  ParallelDocument,
  RaceDocument,
  RouterDocument,
  SwitchDocument,
  TryDocument,
} from '../document.js';
import type { FaultList } from '../fault-list.js';
import { childPointer, type JsonPointer } from '../reader/json-pointer.js';
import type { Language } from '../language.js';
import { stateKeyOf } from '../unit-ids.js';

/** Flows within flows; one more is a load error. */
const MAX_FLOW_DEPTH = 64;

/** The location of a flow while it is compiled. */
interface FlowLocation {
  readonly pointer: JsonPointer;
  readonly path: NodePath;
  readonly depth: number;
  readonly slot: number;
  readonly isBranch: boolean;
  readonly around: Surroundings;
}

/** A node whose parent is filled in once the parent exists. */
type Draft<N> = N extends FlowNode ? { -readonly [K in keyof N]: N[K] } : never;

/** Compiles the flow tree; faults go into the list. Remembers where each unit is used. */
export class FlowCompiler {
  readonly nodes = new Map<NodePath, FlowNode>();
  /** By unit id, the surroundings of every location that names it. */
  readonly uses = new Map<string, Surroundings[]>();
  /** Each flow that runs whatever becomes of what is before it. */
  readonly finalizers: FlowNode[] = [];

  constructor(
    private readonly unitIds: ReadonlySet<string>,
    private readonly faults: FaultList,
    private readonly defaults: Language['defaults'],
    private readonly wasAccepted: boolean,
  ) {}

  compile(flow: FlowDocument): FlowNode | null {
    return this.flow(flow, {
      pointer: '/spec/flow',
      path: '/spec/flow',
      depth: 1,
      slot: 0,
      isBranch: false,
      around: { inLoop: false, itemNames: [] },
    });
  }

  /** A unit that is called to undo another: it stands in no flow. */
  addCompensation(unitId: string, path: NodePath): void {
    this.uses.set(unitId, [...(this.uses.get(unitId) ?? []), { inLoop: false, itemNames: [] }]);
    this.adopt({ type: 'unit', unitId, path, slot: 0, isBranch: false, parent: null }, []);
  }

  /** Runs the units sequentially, each whatever became of those before it, as a tree of its own next to the flow. */
  compileCleanUp(unitIds: readonly string[], path: NodePath): ParallelNode {
    const location: FlowLocation = {
      pointer: path,
      path,
      depth: 1,
      slot: 0,
      isBranch: false,
      around: { inLoop: false, itemNames: [] },
    };
    const branches = this.entries(unitIds, location, { isBranch: true });
    const node: Draft<ParallelNode> = {
      type: 'parallel',
      branches,
      reducer: null,
      failureStrategy: 'best-effort',
      maxConcurrency: 1,
      ...base(location),
    };
    this.adopt(node, branches);
    return node;
  }

  private flow(flow: FlowDocument, location: FlowLocation): FlowNode | null {
    if (location.depth > MAX_FLOW_DEPTH + (typeof flow === 'string' ? 1 : 0)) {
      this.faults.add(
        location.pointer,
        `flows nest at most ${MAX_FLOW_DEPTH} deep: take a part of this one out`,
      );
      return null;
    }
    return typeof flow === 'string' ? this.unit(flow, location) : this.composite(flow, location);
  }

  private unit(unitId: string, location: FlowLocation): FlowNode | null {
    if (!this.unitIds.has(unitId)) {
      this.faults.add(location.pointer, `no unit is named ${unitId}${this.didYouMean(unitId)}`);
      return null;
    }
    const uses = this.uses.get(unitId) ?? [];
    uses.push(location.around);
    this.uses.set(unitId, uses);
    return this.adopt({ type: 'unit', unitId, ...base(location) }, []);
  }

  private composite(flow: FlowObjectDocument, location: FlowLocation): FlowNode | null {
    switch (flow.type) {
      case 'sequential':
        return this.sequential(flow.order ?? [...this.unitIds], location);
      case 'parallel':
        return this.parallel(flow, location);
      case 'router':
        return this.router(flow, location);
      case 'switch':
        return this.switchFlow(flow, location);
      case 'loop':
        return this.loop(flow, location);
      case 'foreach':
        return this.foreach(flow, location);
      case 'dag':
        return this.dag(flow, location);
      case 'delegation':
        return this.delegation(flow, location);
      case 'try':
        return this.tryFlow(flow, location);
      case 'race':
        return this.race(flow, location);
    }
  }

  private sequential(flows: readonly FlowDocument[], location: FlowLocation): FlowNode {
    const order = this.list(flows, location, 'order');
    return this.adopt({ type: 'sequential', order, ...base(location) }, order);
  }

  private parallel(flow: ParallelDocument, location: FlowLocation): FlowNode {
    const branches = this.list(flow.units, location, 'units', { isBranch: true });
    const reducer = this.optional(flow.reducer, location, 'reducer');
    const { failureStrategy = 'fail-fast', maxConcurrency = this.defaults.branchesAtOnce } = flow;
    return this.adopt(
      { type: 'parallel', branches, reducer, failureStrategy, maxConcurrency, ...base(location) },
      [...branches, ...present(reducer)],
    );
  }

  private router(flow: RouterDocument, location: FlowLocation): FlowNode | null {
    const router = this.flow(flow.routerUnit, inside(location, 'routerUnit', 0));
    const routes = new Map<string, FlowNode>();
    const routesLocation = inside(location, 'routes', 0);
    for (const [key, target] of Object.entries(flow.routes)) {
      const node = this.flow(target, { ...inside(routesLocation, key, 0), depth: location.depth + 1 });
      if (node !== null) routes.set(key.trim(), node);
    }
    if (!this.wasAccepted) this.checkDefaultRoute(flow, routesLocation.pointer);
    const fallback = this.optional(flow.default, location, 'default');
    if (router === null) return null;
    const children = [router, ...routes.values(), ...present(fallback)];
    return this.adopt({ type: 'router', router, routes, fallback, ...base(location) }, children);
  }

  /** A route is taken for its own key only. One named `default` is accepted as such where a `default` is written, too. */
  private checkDefaultRoute({ routes, default: fallback }: RouterDocument, pointer: JsonPointer): void {
    const key = Object.keys(routes).find((one) => one.trim() === 'default');
    if (key === undefined || fallback !== undefined) return;
    this.faults.addAtKey(
      childPointer(pointer, key),
      'this route is only for the key "default": move it beside `routes`, as `default`, for the keys that no route has ' +
        '(for both, write it in both places)',
    );
  }

  private switchFlow(flow: SwitchDocument, location: FlowLocation): FlowNode {
    const casesLocation = inside(location, 'cases', 0);
    const cases = flow.cases.flatMap((given, index) => {
      const caseLocation = { ...inside(casesLocation, index, index), depth: location.depth };
      const condition = expressionAt(
        this.faults,
        childPointer(caseLocation.pointer, 'if'),
        given.if,
        location.around,
      );
      const node = this.flow(given.do, inside(caseLocation, 'do', index));
      return node === null ? [] : [{ condition, flow: node }];
    });
    const fallback = this.optional(flow.default, location, 'default');
    const children = [...cases.map((one) => one.flow), ...present(fallback)];
    return this.adopt({ type: 'switch', cases, fallback, ...base(location) }, children);
  }

  private loop(flow: LoopDocument, location: FlowLocation): FlowNode | null {
    const around = { ...location.around, inLoop: true };
    const field = flow.unit === undefined ? 'do' : 'unit';
    const body = this.flow(flow.unit ?? flow.do ?? '', { ...inside(location, field, 0), around });
    const { maxIterations = this.defaults.maxIterations } = flow;
    const untilStateKey = flow.untilStateKey === undefined ? null : stateKeyOf(flow.untilStateKey);
    const until =
      flow.until === undefined
        ? null
        : expressionAt(this.faults, childPointer(location.pointer, 'until'), flow.until, around);
    if (body === null) return null;
    return this.adopt({ type: 'loop', body, maxIterations, untilStateKey, until, ...base(location) }, [body]);
  }

  private foreach(flow: ForeachDocument, location: FlowLocation): FlowNode | null {
    const { itemName: defaultName, passesAtOnce } = this.defaults;
    const { as: itemName = defaultName, collect = null, maxConcurrency = passesAtOnce } = flow;
    const items = expressionAt(
      this.faults,
      childPointer(location.pointer, 'items'),
      flow.items,
      location.around,
    );
    const around = { ...location.around, itemNames: [...location.around.itemNames, itemName] };
    const body = this.flow(flow.do, { ...inside(location, 'do', 0), isBranch: true, around });
    if (collect !== null) this.checkStateKey(collect, childPointer(location.pointer, 'collect'));
    const { failureStrategy = 'fail-fast', failures = null } = flow;
    if (failures !== null) this.checkStateKey(failures, childPointer(location.pointer, 'failures'));
    const itemKey =
      flow.itemKey === undefined
        ? null
        : expressionAt(this.faults, childPointer(location.pointer, 'itemKey'), flow.itemKey, around);
    const maxFailures = maxFailuresOf(flow);
    if (body === null) return null;
    const told = { failureStrategy, failures, maxFailures, itemKey };
    return this.adopt(
      { type: 'foreach', items, itemName, body, maxConcurrency, collect, ...told, ...base(location) },
      [body],
    );
  }

  private dag(flow: DagDocument, location: FlowLocation): FlowNode {
    const planner = this.optional(flow.planner, location, 'planner');
    const executors = this.list(flow.executors, location, 'executors', { isBranch: true });
    const aggregator = this.optional(flow.aggregator, location, 'aggregator');
    const dependencies = compileDependencies(
      flow,
      childPointer(location.pointer, 'dependencies'),
      this.faults,
    );
    const { maxConcurrency = this.defaults.branchesAtOnce } = flow;
    return this.adopt(
      { type: 'dag', planner, executors, aggregator, dependencies, maxConcurrency, ...base(location) },
      [...present(planner), ...executors, ...present(aggregator)],
    );
  }

  private delegation(flow: DelegationDocument, location: FlowLocation): FlowNode | null {
    const orchestrator = this.flow(flow.orchestrator, inside(location, 'orchestrator', 0));
    const specialists = new Map<string, FlowNode>();
    for (const node of this.list(flow.specialists, location, 'specialists')) {
      if (node.type === 'unit') specialists.set(node.unitId, node);
      else
        this.faults.add(node.path, 'a specialist must be a unit: the orchestrator names it by its unit id');
    }
    if (orchestrator === null) return null;
    const { maxRounds = this.defaults.maxRounds } = flow;
    return this.adopt({ type: 'delegation', orchestrator, specialists, maxRounds, ...base(location) }, [
      orchestrator,
      ...specialists.values(),
    ]);
  }

  private tryFlow(flow: TryDocument, location: FlowLocation): FlowNode | null {
    const body = this.flow(flow.do, inside(location, 'do', 0));
    const timeout = this.timeoutOf(flow, location);
    const around = { ...location.around, inCatch: true as const };
    const part = (given: FlowDocument | undefined, field: string, slot: number): FlowNode | null =>
      given === undefined ? null : this.flow(given, { ...inside(location, field, slot), around });
    const handler = part(flow.catch, 'catch', 1);
    const finalizer = part(flow.finally, 'finally', 2);
    if (finalizer !== null) this.finalizers.push(finalizer);
    if (body === null) return null;
    const { compensate: compensates = false, ignore: ignores = false, rethrow: rethrows = false } = flow;
    return this.adopt(
      { type: 'try', body, timeout, compensates, handler, ignores, rethrows, finalizer, ...base(location) },
      [body, ...present(handler), ...present(finalizer)],
    );
  }

  private race({ units, winner, compensate }: RaceDocument, location: FlowLocation): FlowNode {
    const branches = this.list(units, location, 'units', { isBranch: true });
    if (winner !== undefined) this.checkStateKey(winner, childPointer(location.pointer, 'winner'));
    const compensates = compensate === true;
    return this.adopt(
      { type: 'race', branches, winner: winner ?? null, compensates, ...base(location) },
      branches,
    );
  }

  private timeoutOf({ timeout }: TryDocument, location: FlowLocation): Expression | null {
    if (timeout === undefined) return null;
    const pointer = childPointer(location.pointer, 'timeout');
    const template = templateAt(this.faults, pointer, timeout, location.around);
    if (template.isLiteral) {
      const parsed = parseDuration(timeout);
      if (!parsed.ok) this.faults.add(pointer, parsed.reason);
    }
    return template;
  }

  /** The entries of a list; a unit that it names twice is a fault. */
  private list(
    flows: readonly FlowDocument[],
    location: FlowLocation,
    field: string,
    { isBranch = false } = {},
  ): readonly FlowNode[] {
    return this.entries(flows, { ...inside(location, field, 0), depth: location.depth }, { isBranch });
  }

  private entries(
    flows: readonly FlowDocument[],
    listLocation: FlowLocation,
    { isBranch }: { readonly isBranch: boolean },
  ): readonly FlowNode[] {
    const named = new Set<string>();
    return flows.flatMap((flow, index) => {
      const entry = { ...inside(listLocation, index, index), isBranch };
      if (typeof flow === 'string') {
        if (named.has(flow))
          this.faults.add(entry.pointer, `the unit ${flow} is named twice in one flow: name it once`);
        named.add(flow);
      }
      return present(this.flow(flow, entry));
    });
  }

  private optional(flow: FlowDocument | undefined, location: FlowLocation, field: string): FlowNode | null {
    return flow === undefined ? null : this.flow(flow, inside(location, field, 0));
  }

  private checkStateKey(key: string, pointer: JsonPointer): void {
    if (isReservedKey(key)) {
      this.faults.add(
        pointer,
        `the state key ${key} is reserved: keys must not begin with output., errors. or hitl.`,
      );
    }
  }

  private didYouMean(unitId: string): string {
    const [near] = this.faults.nearNames(unitId, this.unitIds);
    return near === undefined ? ': add it to spec.units' : `: did you mean ${near}?`;
  }

  private adopt(draft: Draft<FlowNode>, children: readonly FlowNode[]): FlowNode {
    const { flowNodes } = this.faults.bounds;
    if (this.nodes.size >= flowNodes) {
      this.faults.stop(
        draft.path,
        `a workflow may name ${flowNodes} units and flows in its flow, and here are more: split it into several`,
      );
    }
    for (const child of children) (child as Draft<FlowNode>).parent = draft as FlowNode;
    this.nodes.set(draft.path, draft as FlowNode);
    return draft as FlowNode;
  }
}

function base(location: FlowLocation) {
  return { path: location.path, slot: location.slot, isBranch: location.isBranch, parent: null };
}

/** The location one step down; only a flow inside a flow counts as deeper. */
function inside(location: FlowLocation, token: string | number, slot: number): FlowLocation {
  return {
    pointer: childPointer(location.pointer, token),
    path: childPath(location.path, token),
    depth: location.depth + 1,
    slot,
    isBranch: false,
    around: location.around,
  };
}

function present(node: FlowNode | null): readonly FlowNode[] {
  return node === null ? [] : [node];
}

function maxFailuresOf({ maxFailures }: ForeachDocument): MaxFailures | null {
  if (maxFailures === undefined) return null;
  return typeof maxFailures === 'number'
    ? { count: maxFailures }
    : { percent: Number(maxFailures.replace('%', '')) };
}
