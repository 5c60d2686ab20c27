import { UnreadablePlanError } from '../../../errors/document-errors.js';
import type { NodePath } from '../../core/log/event.js';
import type { FlowNode, UnitNode } from '../../core/plan/plan.js';
import { encodeExpression, expressionFrom } from '../expression/evaluators.js';
import { orNull, type StoredBound, type StoredNode } from './stored-plan.js';

/** The node with all flows inside it, its path written from `parentPath` on. */
export function encodeNode(node: FlowNode, parentPath: string): StoredNode {
  const { slot, isBranch, path } = node;
  const base = { at: path.slice(parentPath.length), slot, isBranch };
  const child = (flow: FlowNode): StoredNode => encodeNode(flow, path);
  switch (node.type) {
    case 'unit':
      return { ...base, type: 'unit', unitId: node.unitId };
    case 'sequential':
      return { ...base, type: 'sequential', order: node.order.map(child) };
    case 'parallel':
      return {
        ...base,
        type: 'parallel',
        branches: node.branches.map(child),
        reducer: orNull(node.reducer, child),
        failureStrategy: node.failureStrategy,
        maxConcurrency: encodeBound(node.maxConcurrency),
      };
    case 'router':
      return {
        ...base,
        type: 'router',
        router: child(node.router),
        routes: [...node.routes].map(([key, flow]) => ({ key, flow: child(flow) })),
        fallback: orNull(node.fallback, child),
      };
    case 'switch':
      return {
        ...base,
        type: 'switch',
        cases: node.cases.map(({ condition, flow }) => ({
          condition: encodeExpression(condition),
          flow: child(flow),
        })),
        fallback: orNull(node.fallback, child),
      };
    case 'loop':
      return {
        ...base,
        type: 'loop',
        body: child(node.body),
        maxIterations: node.maxIterations,
        untilStateKey: node.untilStateKey,
        until: orNull(node.until, encodeExpression),
      };
    case 'foreach':
      return {
        ...base,
        type: 'foreach',
        items: encodeExpression(node.items),
        itemName: node.itemName,
        body: child(node.body),
        maxConcurrency: encodeBound(node.maxConcurrency),
        collect: node.collect,
        ...(node.failureStrategy === 'fail-fast' ? {} : { failureStrategy: node.failureStrategy }),
        ...(node.failures === null ? {} : { failures: node.failures }),
        ...(node.maxFailures === null ? {} : { maxFailures: node.maxFailures }),
        ...(node.itemKey === null ? {} : { itemKey: encodeExpression(node.itemKey) }),
      };
    case 'dag':
      return {
        ...base,
        type: 'dag',
        planner: orNull(node.planner, child),
        executors: node.executors.map(child),
        dependencies: node.dependencies,
        aggregator: orNull(node.aggregator, child),
        maxConcurrency: encodeBound(node.maxConcurrency),
      };
    case 'delegation':
      return {
        ...base,
        type: 'delegation',
        orchestrator: child(node.orchestrator),
        specialists: [...node.specialists.values()].map(child),
        maxRounds: node.maxRounds,
      };
    case 'try':
      return {
        ...base,
        type: 'try',
        body: child(node.body),
        timeout: orNull(node.timeout, encodeExpression),
        handler: orNull(node.handler, child),
        ...(node.compensates ? { compensates: true as const } : {}),
        ignores: node.ignores,
        rethrows: node.rethrows,
        finalizer: orNull(node.finalizer, child),
      };
    case 'race':
      return {
        ...base,
        type: 'race',
        branches: node.branches.map(child),
        winner: node.winner,
        ...(node.compensates ? { compensates: true as const } : {}),
      };
  }
}

/** A node whose parent is filled in once the parent exists. */
type Draft<N> = N extends FlowNode ? { -readonly [K in keyof N]: N[K] } : never;

/** Makes the nodes in the order in which the compiler makes them: children first, as they are declared. */
export class FlowDecoder {
  readonly byPath = new Map<NodePath, FlowNode>();

  /** A unit that stands in no flow. */
  addUnit(unitId: string, path: NodePath): void {
    this.byPath.set(path, { type: 'unit', unitId, path, slot: 0, isBranch: false, parent: null });
  }

  decode(stored: StoredNode, parentPath: NodePath): FlowNode {
    const path = `${parentPath}${stored.at}`;
    const children: FlowNode[] = [];
    const child = (flow: StoredNode): FlowNode => {
      const node = this.decode(flow, path);
      children.push(node);
      return node;
    };
    const { slot, isBranch } = stored;
    const node: Draft<FlowNode> = nodeOf(stored, { path, slot, isBranch, parent: null }, child);
    for (const each of children) (each as Draft<FlowNode>).parent = node as FlowNode;
    this.byPath.set(path, node as FlowNode);
    return node as FlowNode;
  }
}

type Base = Pick<FlowNode, 'path' | 'parent' | 'slot' | 'isBranch'>;

function nodeOf(stored: StoredNode, base: Base, child: (flow: StoredNode) => FlowNode): Draft<FlowNode> {
  switch (stored.type) {
    case 'unit':
      return { type: 'unit', unitId: stored.unitId, ...base };
    case 'sequential':
      return { type: 'sequential', order: stored.order.map(child), ...base };
    case 'parallel':
      return {
        type: 'parallel',
        branches: stored.branches.map(child),
        reducer: orNull(stored.reducer, child),
        failureStrategy: stored.failureStrategy,
        maxConcurrency: boundOf(stored.maxConcurrency),
        ...base,
      };
    case 'router':
      return {
        type: 'router',
        router: child(stored.router),
        routes: new Map(stored.routes.map(({ key, flow }) => [key, child(flow)])),
        fallback: orNull(stored.fallback, child),
        ...base,
      };
    case 'switch':
      return {
        type: 'switch',
        cases: stored.cases.map(({ condition, flow }) => ({
          condition: expressionFrom(condition),
          flow: child(flow),
        })),
        fallback: orNull(stored.fallback, child),
        ...base,
      };
    case 'loop':
      return {
        type: 'loop',
        body: child(stored.body),
        maxIterations: stored.maxIterations,
        untilStateKey: stored.untilStateKey,
        until: orNull(stored.until, expressionFrom),
        ...base,
      };
    case 'foreach':
      return {
        type: 'foreach',
        items: expressionFrom(stored.items),
        itemName: stored.itemName,
        body: child(stored.body),
        maxConcurrency: boundOf(stored.maxConcurrency),
        collect: stored.collect,
        failureStrategy: stored.failureStrategy ?? 'fail-fast',
        failures: stored.failures ?? null,
        maxFailures: stored.maxFailures ?? null,
        itemKey: stored.itemKey === undefined ? null : expressionFrom(stored.itemKey),
        ...base,
      };
    case 'dag':
      return {
        type: 'dag',
        planner: orNull(stored.planner, child),
        executors: stored.executors.map(child),
        dependencies: stored.dependencies,
        aggregator: orNull(stored.aggregator, child),
        maxConcurrency: boundOf(stored.maxConcurrency),
        ...base,
      };
    case 'delegation':
      return {
        type: 'delegation',
        orchestrator: child(stored.orchestrator),
        specialists: specialistsOf(stored.specialists.map(child)),
        maxRounds: stored.maxRounds,
        ...base,
      };
    case 'try':
      return {
        type: 'try',
        body: child(stored.body),
        timeout: orNull(stored.timeout, expressionFrom),
        handler: orNull(stored.handler, child),
        compensates: stored.compensates ?? false,
        ignores: stored.ignores,
        rethrows: stored.rethrows,
        finalizer: orNull(stored.finalizer, child),
        ...base,
      };
    case 'race':
      return {
        type: 'race',
        branches: stored.branches.map(child),
        winner: stored.winner,
        compensates: stored.compensates ?? false,
        ...base,
      };
    default:
      throw UnreadablePlanError.newer('it has a flow of an unknown type');
  }
}

function specialistsOf(nodes: readonly FlowNode[]): ReadonlyMap<string, FlowNode> {
  return new Map(nodes.map((node) => [(node as UnitNode).unitId, node]));
}

function encodeBound(bound: number): StoredBound {
  return bound === Infinity ? null : bound;
}

function boundOf(bound: StoredBound): number {
  return bound ?? Infinity;
}
