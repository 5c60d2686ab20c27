import type { DagNode, FlowNode } from '../../core/plan/plan.js';

/**
 * Which part of a flow can be over, and its output readable, when another part of it begins. Both parts are children of the
 * flow, or the same one: then `earlier` is an earlier pass through it. It follows from what the interpreter does
 * (`core/flows`), and a property test verifies it.
 */
interface FlowOrder<N extends FlowNode> {
  /** On some path: otherwise nothing inside of `earlier` can have run. */
  readonly may: (flow: N, earlier: FlowNode, later: FlowNode) => boolean;
  /** On every path: `earlier` has come to its end, and what it wrote is there. */
  readonly must: (flow: N, earlier: FlowNode, later: FlowNode) => boolean;
  /** Why nothing of `earlier` can have run, and what to do; the names are those of the units. */
  readonly advice: (names: { readonly unit: string; readonly reader: string }) => string;
}

type FlowOfType<T extends FlowNode['type']> = Extract<FlowNode, { type: T }>;

type Flows = Exclude<FlowNode['type'], 'unit'>;

const ORDER: { readonly [T in Flows]: FlowOrder<FlowOfType<T>> } = {
  sequential: {
    may: isDeclaredBefore,
    must: isDeclaredBefore,
    advice: ({ unit, reader }) => `${unit} comes after ${reader}: put it before`,
  },
  // A branch reads what was there when the branches opened, and what it writes itself.
  parallel: {
    may: (flow, earlier, later) => later === flow.reducer && earlier !== later,
    must: (flow, earlier, later) =>
      later === flow.reducer && earlier !== later && flow.failureStrategy !== 'best-effort',
    advice: ({ unit }) =>
      `a branch of a parallel sees nothing of the others: read it after the parallel, or put ${unit} before it`,
  },
  router: {
    may: (flow, earlier, later) => earlier === flow.router && later !== earlier,
    must: (flow, earlier, later) => earlier === flow.router && later !== earlier,
    advice: ({ unit, reader }) =>
      `the router takes one route, and ${unit} is not on the way to ${reader}: put it before the router`,
  },
  switch: {
    may: () => false,
    must: () => false,
    advice: ({ unit }) =>
      `the switch takes one of its branches, and ${unit} is in another: put it before the switch`,
  },
  loop: {
    may: (flow) => flow.maxIterations > 1,
    must: () => false,
    advice: ({ unit }) => `the loop has one round: put ${unit} before it`,
  },
  foreach: {
    may: () => false,
    must: () => false,
    advice: ({ unit }) => `a pass of a foreach sees nothing of the others: read ${unit} after the foreach`,
  },
  dag: {
    may: isDependedOn,
    must: isDependedOn,
    advice: ({ unit, reader }) =>
      `nothing has ${reader} wait for ${unit}: say so in the dependencies of the dag`,
  },
  // The orchestrator runs again after each round; which specialists it names, in which order, is known in the run alone.
  delegation: {
    may: () => true,
    must: (flow, earlier, later) => earlier === flow.orchestrator && later !== earlier,
    advice: ({ unit }) => `put ${unit} before it`,
  },
  // What fails in the body may have come to any point of it, and its handler need not run.
  try: {
    may: isDeclaredBefore,
    must: () => false,
    advice: ({ unit, reader }) => `${unit} comes after ${reader} in the try: put it before`,
  },
  race: {
    may: () => false,
    must: () => false,
    advice: ({ unit }) =>
      `a branch of a race sees nothing of the others: read it after the race, or put ${unit} before it`,
  },
};

function orderOf<N extends FlowNode>(flow: N): FlowOrder<FlowNode> {
  if (flow.type === 'unit') throw new Error(`The unit at ${flow.path} has nothing inside.`);
  return ORDER[flow.type] as FlowOrder<FlowNode>;
}

export function mayComeBefore(flow: FlowNode, earlier: FlowNode, later: FlowNode): boolean {
  return orderOf(flow).may(flow, earlier, later);
}

export function mustComeBefore(flow: FlowNode, earlier: FlowNode, later: FlowNode): boolean {
  return orderOf(flow).must(flow, earlier, later);
}

export function adviceFor(flow: FlowNode, names: { readonly unit: string; readonly reader: string }): string {
  return orderOf(flow).advice(names);
}

/**
 * Whether the thread, once it has left the flow, has certainly left a child whose output it carries on and that always
 * writes the output in question. `holders`: the children that have the unit inside; all others are skipped, so that a flow
 * of thousands of children costs no more than one of few.
 */
export function surelyLeaves(
  flow: FlowNode,
  holders: ReadonlySet<FlowNode>,
  isWrittenBy: (holder: FlowNode) => boolean,
): boolean {
  const writes = (child: FlowNode): boolean => holders.has(child) && isWrittenBy(child);
  switch (flow.type) {
    case 'unit':
    case 'foreach':
      return false;
    case 'race':
      return holders.size >= flow.branches.length && flow.branches.every(writes);
    case 'sequential':
    case 'dag':
      return [...holders].some(writes);
    case 'parallel':
      return flow.failureStrategy === 'best-effort'
        ? isPresent(flow.reducer, writes)
        : [...holders].some(writes);
    case 'router': {
      // Without a default, a route that is not there fails the run.
      const isOnAllRoutes =
        holders.size >= flow.routes.size &&
        [...flow.routes.values()].every(writes) &&
        (flow.fallback === null || writes(flow.fallback));
      return writes(flow.router) || (flow.routes.size > 0 && isOnAllRoutes);
    }
    case 'switch':
      return isPresent(flow.fallback, writes) && flow.cases.every((one) => writes(one.flow));
    case 'loop':
      return writes(flow.body);
    case 'delegation':
      return writes(flow.orchestrator);
    case 'try':
      return (
        isPresent(flow.finalizer, writes) ||
        (writes(flow.body) &&
          !flow.ignores &&
          (flow.handler === null || flow.rethrows || writes(flow.handler)))
      );
  }
}

function isPresent(node: FlowNode | null, writes: (child: FlowNode) => boolean): boolean {
  return node !== null && writes(node);
}

function isDeclaredBefore(_flow: FlowNode, earlier: FlowNode, later: FlowNode): boolean {
  return earlier.slot < later.slot;
}

/** The order of a dag: the planner, then each executor once those it waits for are complete, then the aggregator. */
function isDependedOn(flow: DagNode, earlier: FlowNode, later: FlowNode): boolean {
  if (earlier === later || later === flow.planner || earlier === flow.aggregator) return false;
  if (earlier === flow.planner || later === flow.aggregator) return true;
  const found = new Set<number>(flow.dependencies[later.slot]);
  for (const index of found) {
    if (index === earlier.slot) return true;
    for (const further of flow.dependencies[index] ?? []) found.add(further);
  }
  return false;
}
