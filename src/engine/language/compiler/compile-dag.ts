import type { DagDocument, FlowDocument } from '../document.js';
import type { FaultList } from '../fault-list.js';
import { childPointer, type JsonPointer } from '../reader/json-pointer.js';

/** By executor, the indices of the executors that it waits for. Unknown names and cycles go into the faults. */
export function compileDependencies(
  flow: DagDocument,
  pointer: JsonPointer,
  faults: FaultList,
): readonly (readonly number[])[] {
  const indices = indexByUnit(flow.executors);
  const dependencies: number[][] = flow.executors.map(() => []);
  for (const [name, waitsFor] of Object.entries(flow.dependencies ?? {})) {
    const own = childPointer(pointer, name);
    const index = indices.get(name);
    if (index === undefined) {
      faults.add(own, `no executor of this dag is ${name}${didYouMean(name, indices, faults)}`);
      continue;
    }
    waitsFor.forEach((dependency, position) => {
      const target = indices.get(dependency);
      const at = childPointer(own, position);
      if (target === undefined) {
        faults.add(at, `no executor of this dag is ${dependency}${didYouMean(dependency, indices, faults)}`);
      } else if (!dependencies[index]?.includes(target)) dependencies[index]?.push(target);
    });
  }
  const cycle = findCycle(dependencies);
  if (cycle === null) return dependencies;
  const names = [...indices.keys()];
  const nameOf = (index: number): string =>
    names.find((name) => indices.get(name) === index) ?? `executor ${index}`;
  faults.add(
    childPointer(pointer, nameOf(cycle[0] ?? 0)),
    `the dependencies form a cycle: ${cycle.map(nameOf).join(' waits for ')}; take one of them out`,
  );
  return flow.executors.map(() => []);
}

/** Only units have a name to depend on; a flow among the executors waits for nothing. */
function indexByUnit(executors: readonly FlowDocument[]): ReadonlyMap<string, number> {
  const indices = new Map<string, number>();
  executors.forEach((executor, index) => {
    if (typeof executor === 'string') indices.set(executor, index);
  });
  return indices;
}

/** The nodes of one cycle, the first repeated at the end; null without one. Iterative: chains may be long. */
function findCycle(dependencies: readonly (readonly number[])[]): readonly number[] | null {
  const isDone = new Set<number>();
  for (let start = 0; start < dependencies.length; start++) {
    const trail: { node: number; next: number }[] = [{ node: start, next: 0 }];
    const onTrail = new Set<number>([start]);
    while (trail.length > 0) {
      const top = trail[trail.length - 1] as { node: number; next: number };
      const dependency = dependencies[top.node]?.[top.next++];
      if (dependency === undefined) {
        isDone.add(top.node);
        onTrail.delete(top.node);
        trail.pop();
      } else if (onTrail.has(dependency)) {
        const nodes = trail.map(({ node }) => node);
        return [...nodes.slice(nodes.indexOf(dependency)), dependency];
      } else if (!isDone.has(dependency)) {
        trail.push({ node: dependency, next: 0 });
        onTrail.add(dependency);
      }
    }
  }
  return null;
}

function didYouMean(name: string, indices: ReadonlyMap<string, number>, faults: FaultList): string {
  const [near] = faults.nearNames(name, indices.keys());
  return near === undefined
    ? `; its executors are ${[...indices.keys()].slice(0, 20).join(', ')}`
    : `: did you mean ${near}?`;
}
