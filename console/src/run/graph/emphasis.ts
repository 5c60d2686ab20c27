import type { FlowNode, FlowTree } from '../flow/flow-node.js';
import { flowFacts, hasLost, isUntaken, type PartSummary } from '../log/part-states.js';
import type { RunPicture } from '../log/picture.js';

/** What of a document a run has surely passed by, and what became of the branches of its races. */
export interface RunEmphasis {
  /** Paths of parts that were not taken, with all inside of them. */
  readonly untaken: ReadonlySet<string>;
  /** By path of a branch of a race. */
  readonly marks: ReadonlyMap<string, 'winner' | 'lost'>;
  /** What is written next to the name of a flow: how far its items or passes are. */
  readonly progress: ReadonlyMap<string, string>;
}

/** Of a definition that no run goes through. */
export const NO_EMPHASIS: RunEmphasis = { untaken: new Set(), marks: new Map(), progress: new Map() };
export const NO_STATES: ReadonlyMap<string, PartSummary> = new Map();

export function emphasisOf(
  tree: FlowTree,
  picture: RunPicture,
  states: ReadonlyMap<string, PartSummary>,
): RunEmphasis {
  const untaken = new Set<string>();
  const marks = new Map<string, 'winner' | 'lost'>();
  const progress = new Map<string, string>();
  const passBy = (node: FlowNode): void => {
    untaken.add(node.path);
    for (const part of node.parts) passBy(part.node);
  };
  const isOver = picture.endedAt !== null;
  const factsByPath = flowFacts(picture);
  const closed = closedPasses(picture);
  for (const node of tree.nodes.values()) {
    const facts = factsByPath.get(node.path) ?? [];
    node.parts.forEach((part, index) => {
      if (isUntaken(facts, node, part)) passBy(part.node);
      else if (node.type === 'race' && facts.some(({ winner }) => winner !== null))
        marks.set(part.node.path, hasLost(facts, node, index) ? 'lost' : 'winner');
    });
    if (node.type === 'unit' && isOver && !states.has(node.path)) untaken.add(node.path);
    if (node.type === 'foreach' && facts.length > 0) {
      const items = facts.every((one) => one.items !== null)
        ? ` of ${facts.reduce((sum, one) => sum + (one.items ?? 0), 0)}`
        : '';
      progress.set(node.path, `${closed.get(node.path) ?? 0}${items} done`);
    }
    const passes = facts.reduce((sum, one) => sum + one.passes, 0);
    if (node.type === 'loop' && passes > 0) progress.set(node.path, `${passes} times`);
  }
  return { untaken, marks, progress };
}

/** By path of a foreach, how many of its passes have ended. */
function closedPasses({ scopes }: RunPicture): ReadonlyMap<string, number> {
  const byPath = new Map<string, number>();
  for (const { id, closedAt } of scopes.values()) {
    const [path = '', index] = id.slice(id.lastIndexOf('>') + 1).split('#');
    if (closedAt !== null && index !== undefined) byPath.set(path, (byPath.get(path) ?? 0) + 1);
  }
  return byPath;
}
