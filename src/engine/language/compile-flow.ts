import { isReservedKey } from '../core/plan/reserved-key.js';
import type { NodePath } from '../core/log/event.js';
import { childPath } from '../core/plan/node-path.js';
import type { FlowNode, ParallelNode } from '../core/plan/plan.js';
import { expressionAt } from './compile-expression.js';
import type { Surroundings } from './expression/surroundings.js';
import { compileDependencies } from './compile-dag.js';
import type {
  DagDocument,
  DelegationDocument,
  FlowDocument,
  FlowObjectDocument,
  ForeachDocument,
  LoopDocument,
  ParallelDocument,
  RouterDocument,
  SwitchDocument,
} from './document.js';
import type { FaultList } from './fault-list.js';
import { childPointer, type JsonPointer } from './reader/json-pointer.js';
import type { Language } from './language.js';
import { stateKeyOf } from './unit-ids.js';

/** Flows within flows; one more is a load error. */
const MAX_FLOW_DEPTH = 64;

/** Where a flow stands while it is compiled. */
interface Place {
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
  /** By unit id: the surroundings of every place that names it. */
  readonly uses = new Map<string, Surroundings[]>();

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

  /** The units one after another, each whatever became of those before it; a tree of its own beside the flow. */
  compileCleanUp(unitIds: readonly string[], path: NodePath): ParallelNode {
    const place: Place = {
      pointer: path,
      path,
      depth: 1,
      slot: 0,
      isBranch: false,
      around: { inLoop: false, itemNames: [] },
    };
    const branches = this.entries(unitIds, place, { isBranch: true });
    const node: Draft<ParallelNode> = {
      type: 'parallel',
      branches,
      reducer: null,
      failureStrategy: 'best-effort',
      maxConcurrency: 1,
      ...base(place),
    };
    this.adopt(node, branches);
    return node;
  }

  private flow(flow: FlowDocument, place: Place): FlowNode | null {
    if (place.depth > MAX_FLOW_DEPTH + (typeof flow === 'string' ? 1 : 0)) {
      this.faults.add(
        place.pointer,
        `flows nest at most ${MAX_FLOW_DEPTH} deep: take a part of this one out`,
      );
      return null;
    }
    return typeof flow === 'string' ? this.unit(flow, place) : this.composite(flow, place);
  }

  private unit(unitId: string, place: Place): FlowNode | null {
    if (!this.unitIds.has(unitId)) {
      this.faults.add(place.pointer, `no unit is named ${unitId}${this.didYouMean(unitId)}`);
      return null;
    }
    const uses = this.uses.get(unitId) ?? [];
    uses.push(place.around);
    this.uses.set(unitId, uses);
    return this.adopt({ type: 'unit', unitId, ...base(place) }, []);
  }

  private composite(flow: FlowObjectDocument, place: Place): FlowNode | null {
    switch (flow.type) {
      case 'sequential':
        return this.sequential(flow.order ?? [...this.unitIds], place);
      case 'parallel':
        return this.parallel(flow, place);
      case 'router':
        return this.router(flow, place);
      case 'switch':
        return this.switchFlow(flow, place);
      case 'loop':
        return this.loop(flow, place);
      case 'foreach':
        return this.foreach(flow, place);
      case 'dag':
        return this.dag(flow, place);
      case 'delegation':
        return this.delegation(flow, place);
    }
  }

  private sequential(flows: readonly FlowDocument[], place: Place): FlowNode {
    const order = this.list(flows, place, 'order');
    return this.adopt({ type: 'sequential', order, ...base(place) }, order);
  }

  private parallel(flow: ParallelDocument, place: Place): FlowNode {
    const branches = this.list(flow.units, place, 'units', { isBranch: true });
    const reducer = this.optional(flow.reducer, place, 'reducer');
    const { failureStrategy = 'fail-fast', maxConcurrency = this.defaults.branchesAtOnce } = flow;
    return this.adopt(
      { type: 'parallel', branches, reducer, failureStrategy, maxConcurrency, ...base(place) },
      [...branches, ...present(reducer)],
    );
  }

  private router(flow: RouterDocument, place: Place): FlowNode | null {
    const router = this.flow(flow.routerUnit, inside(place, 'routerUnit', 0));
    const routes = new Map<string, FlowNode>();
    const routesPlace = inside(place, 'routes', 0);
    for (const [key, target] of Object.entries(flow.routes)) {
      const node = this.flow(target, { ...inside(routesPlace, key, 0), depth: place.depth + 1 });
      if (node !== null) routes.set(key.trim(), node);
    }
    if (!this.wasAccepted) this.checkDefaultRoute(flow, routesPlace.pointer);
    const fallback = this.optional(flow.default, place, 'default');
    if (router === null) return null;
    const children = [router, ...routes.values(), ...present(fallback)];
    return this.adopt({ type: 'router', router, routes, fallback, ...base(place) }, children);
  }

  /** A route is taken for its own key only; beside a `default` in its place one of that name is meant. */
  private checkDefaultRoute({ routes, default: fallback }: RouterDocument, pointer: JsonPointer): void {
    const key = Object.keys(routes).find((one) => one.trim() === 'default');
    if (key === undefined || fallback !== undefined) return;
    this.faults.addAtKey(
      childPointer(pointer, key),
      'this route is only for the key "default": move it beside `routes`, as `default`, for the keys that no route has ' +
        '(for both, write it in both places)',
    );
  }

  private switchFlow(flow: SwitchDocument, place: Place): FlowNode {
    const casesPlace = inside(place, 'cases', 0);
    const cases = flow.cases.flatMap((given, index) => {
      const casePlace = { ...inside(casesPlace, index, index), depth: place.depth };
      const condition = expressionAt(
        this.faults,
        childPointer(casePlace.pointer, 'if'),
        given.if,
        place.around,
      );
      const node = this.flow(given.do, inside(casePlace, 'do', index));
      return node === null ? [] : [{ condition, flow: node }];
    });
    const fallback = this.optional(flow.default, place, 'default');
    const children = [...cases.map((one) => one.flow), ...present(fallback)];
    return this.adopt({ type: 'switch', cases, fallback, ...base(place) }, children);
  }

  private loop(flow: LoopDocument, place: Place): FlowNode | null {
    const around = { ...place.around, inLoop: true };
    const field = flow.unit === undefined ? 'do' : 'unit';
    const body = this.flow(flow.unit ?? flow.do ?? '', { ...inside(place, field, 0), around });
    const { maxIterations = this.defaults.maxIterations } = flow;
    const untilStateKey = flow.untilStateKey === undefined ? null : stateKeyOf(flow.untilStateKey);
    const until =
      flow.until === undefined
        ? null
        : expressionAt(this.faults, childPointer(place.pointer, 'until'), flow.until, around);
    if (body === null) return null;
    return this.adopt({ type: 'loop', body, maxIterations, untilStateKey, until, ...base(place) }, [body]);
  }

  private foreach(flow: ForeachDocument, place: Place): FlowNode | null {
    const { itemName: defaultName, passesAtOnce } = this.defaults;
    const { as: itemName = defaultName, collect = null, maxConcurrency = passesAtOnce } = flow;
    const items = expressionAt(this.faults, childPointer(place.pointer, 'items'), flow.items, place.around);
    const around = { ...place.around, itemNames: [...place.around.itemNames, itemName] };
    const body = this.flow(flow.do, { ...inside(place, 'do', 0), isBranch: true, around });
    if (collect !== null) this.checkStateKey(collect, childPointer(place.pointer, 'collect'));
    if (body === null) return null;
    return this.adopt({ type: 'foreach', items, itemName, body, maxConcurrency, collect, ...base(place) }, [
      body,
    ]);
  }

  private dag(flow: DagDocument, place: Place): FlowNode {
    const planner = this.optional(flow.planner, place, 'planner');
    const executors = this.list(flow.executors, place, 'executors', { isBranch: true });
    const aggregator = this.optional(flow.aggregator, place, 'aggregator');
    const dependencies = compileDependencies(flow, childPointer(place.pointer, 'dependencies'), this.faults);
    const { maxConcurrency = this.defaults.branchesAtOnce } = flow;
    return this.adopt(
      { type: 'dag', planner, executors, aggregator, dependencies, maxConcurrency, ...base(place) },
      [...present(planner), ...executors, ...present(aggregator)],
    );
  }

  private delegation(flow: DelegationDocument, place: Place): FlowNode | null {
    const orchestrator = this.flow(flow.orchestrator, inside(place, 'orchestrator', 0));
    const specialists = new Map<string, FlowNode>();
    for (const node of this.list(flow.specialists, place, 'specialists')) {
      if (node.type === 'unit') specialists.set(node.unitId, node);
      else
        this.faults.add(node.path, 'a specialist must be a unit: the orchestrator names it by its unit id');
    }
    if (orchestrator === null) return null;
    const { maxRounds = this.defaults.maxRounds } = flow;
    return this.adopt({ type: 'delegation', orchestrator, specialists, maxRounds, ...base(place) }, [
      orchestrator,
      ...specialists.values(),
    ]);
  }

  /** The entries of a list; a unit that it names twice is a fault. */
  private list(
    flows: readonly FlowDocument[],
    place: Place,
    field: string,
    { isBranch = false } = {},
  ): readonly FlowNode[] {
    return this.entries(flows, { ...inside(place, field, 0), depth: place.depth }, { isBranch });
  }

  private entries(
    flows: readonly FlowDocument[],
    listPlace: Place,
    { isBranch }: { readonly isBranch: boolean },
  ): readonly FlowNode[] {
    const named = new Set<string>();
    return flows.flatMap((flow, index) => {
      const entry = { ...inside(listPlace, index, index), isBranch };
      if (typeof flow === 'string') {
        if (named.has(flow))
          this.faults.add(entry.pointer, `the unit ${flow} is named twice in one flow: name it once`);
        named.add(flow);
      }
      return present(this.flow(flow, entry));
    });
  }

  private optional(flow: FlowDocument | undefined, place: Place, field: string): FlowNode | null {
    return flow === undefined ? null : this.flow(flow, inside(place, field, 0));
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

function base(place: Place) {
  return { path: place.path, slot: place.slot, isBranch: place.isBranch, parent: null };
}

/** One step down; only a flow inside a flow counts as deeper. */
function inside(place: Place, token: string | number, slot: number): Place {
  return {
    pointer: childPointer(place.pointer, token),
    path: childPath(place.path, token),
    depth: place.depth + 1,
    slot,
    isBranch: false,
    around: place.around,
  };
}

function present(node: FlowNode | null): readonly FlowNode[] {
  return node === null ? [] : [node];
}
