import { nodePathOf } from '../../../../src/engine/core/plan/node-path.js';
import type { FlowNode, FlowPart, FlowTree } from './flow-node.js';

/** Something that happens, in order, once somebody has decided at a gate. */
export type Follow =
  | {
      readonly kind: 'unit';
      readonly unitId: string;
      readonly uses: string;
      /** CEL; null: it always runs. */
      readonly condition: string | null;
      /** How deep it stands in choices. */
      readonly depth: number;
    }
  /** Something between units: which of them is chosen, that they repeat, that others are waited for. */
  | { readonly kind: 'note'; readonly text: string; readonly depth: number }
  | { readonly kind: 'gate'; readonly unitId: string; readonly depth: number }
  | { readonly kind: 'end'; readonly text: string; readonly depth: number };

export interface WhatFollows {
  readonly approval: readonly Follow[];
  readonly rejection: readonly Follow[];
}

/** Beyond so many lines nobody reads on; the last one says that there is more. */
const MAX_LINES = 60;

/**
 * What follows a decision at the gate, to the next gate or the end; null: the definition has no such gate. `pointer`: where it
 * stands in the document.
 */
export function whatFollows(
  tree: FlowTree,
  pointer: string,
  onReject: 'fail' | 'continue',
): WhatFollows | null {
  const gate = tree.nodes.get(nodePathOf(pointer));
  if (gate === undefined || gate.unitId === null) return null;
  const approval = bounded(new Walk(tree).after(gate));
  if (onReject === 'continue') {
    const note: Follow = { kind: 'note', text: 'The run goes on, and knows of the rejection.', depth: 0 };
    return { approval, rejection: [note, ...approval] };
  }
  return { approval, rejection: bounded(new Walk(tree).afterFailure(gate)) };
}

/** Collects what happens from a node on. It stops at the first gate that surely comes. */
class Walk {
  readonly #lines: Follow[] = [];
  readonly #tree: FlowTree;

  constructor(tree: FlowTree) {
    this.#tree = tree;
  }

  /** What comes once the node has completed. */
  after(node: FlowNode): readonly Follow[] {
    if (!this.#leave(node)) this.#lines.push({ kind: 'end', text: 'The run completes.', depth: 0 });
    return this.#lines;
  }

  /** What comes once the node has failed. */
  afterFailure(node: FlowNode): readonly Follow[] {
    for (let inside = node; ;) {
      const around = this.#tree.parents.get(inside.path);
      if (around === undefined) break;
      const part = partOf(around, inside);
      if (around.type === 'try') {
        const outcome = this.#leaveTryByFailure(around, part);
        if (outcome !== 'passes') return this.#lines;
      } else if (part.isBranch && around.afterFailure === 'it goes on') {
        this.#note('The failure is recorded.', 0);
        return this.after(inside);
      } else if (part.isBranch && around.afterFailure === 'they end first') {
        this.#note('The others run to their end first.', 0);
      }
      inside = around;
    }
    const undone = [...this.#tree.units.values()].some(({ compensatedBy }) => compensatedBy !== null);
    if (undone) this.#note('What was done and can be undone is undone.', 0);
    this.#lines.push({ kind: 'end', text: 'The run fails.', depth: 0 });
    return this.#lines;
  }

  #leaveTryByFailure(around: FlowNode, part: FlowPart): 'passes' | 'goes on' {
    const handler = partIn(around, 'catch');
    const finalizer = partIn(around, 'finally');
    const { ignores, compensates, rethrows } = around.failure ?? {
      ignores: false,
      compensates: false,
      rethrows: false,
    };
    const isCaught = part.role === 'do' && (handler !== null || ignores);
    if (part.role === 'do' && compensates) this.#note('What was done inside is undone.', 0);
    if (isCaught && handler !== null) {
      this.#note('The failure is caught:', 0);
      if (this.#enter(handler, 1)) return 'goes on';
    }
    if (part.role !== 'finally' && finalizer !== null) {
      this.#note('In any case:', 0);
      if (this.#enter(finalizer, 1)) return 'goes on';
    }
    if (!isCaught || (rethrows && handler !== null)) return 'passes';
    this.after(around);
    return 'goes on';
  }

  /** Goes on around a node that has completed. True: a gate ends the walk. */
  #leave(node: FlowNode): boolean {
    let inside = node;
    for (;;) {
      const around = this.#tree.parents.get(inside.path);
      if (around === undefined) return false;
      if (this.#rest(around, inside)) return true;
      inside = around;
    }
  }

  /** What is left of a flow of which a part has completed. */
  #rest(around: FlowNode, inside: FlowNode): boolean {
    const part = partOf(around, inside);
    const at = around.parts.indexOf(part);
    switch (around.type) {
      case 'sequential':
        return around.parts.slice(at + 1).some(({ node }) => this.#enter(node, 0));
      case 'parallel':
        if (part.role !== 'branch') return false;
        if (around.parts.filter(({ role }) => role === 'branch').length > 1)
          this.#note('Once the branches next to it are done:', 0);
        return this.#enterPart(around, 'reducer', 0);
      case 'race':
        this.#note('The race is decided, and the other branches close.', 0);
        return false;
      case 'router':
        return part.role === 'router' && this.#choices(around, 0);
      case 'loop':
        this.#note(`It may repeat${around.note === null ? '' : `, ${around.note}`}. Then:`, 0);
        return false;
      case 'foreach':
        this.#note('Once the other items are done:', 0);
        return false;
      case 'dag':
        return this.#restOfDag(around, part);
      case 'delegation':
        if (part.role === 'specialist') this.#note('The orchestrator is called again. Then:', 0);
        return part.role === 'orchestrator' && this.#choices(around, 0);
      case 'try':
        return part.role !== 'finally' && this.#enterPart(around, 'finally', 0);
      case 'switch':
      case 'unit':
        return false;
    }
  }

  #restOfDag(around: FlowNode, part: FlowPart): boolean {
    const executors = around.parts.filter(({ role }) => role === 'executor');
    if (part.role === 'aggregator') return false;
    const next =
      part.role === 'planner'
        ? executors
        : executors.filter((_, index) => this.#dependsOn(around, index, executors.indexOf(part)));
    if (next.length > 0) this.#note('As what they wait for is done:', 0);
    for (const { node } of next) this.#enter(node, next.length > 1 ? 1 : 0);
    return this.#enterPart(around, 'aggregator', 0);
  }

  /** Whether an executor waits for another one, directly or by others. */
  #dependsOn({ dependencies = [] }: FlowNode, index: number, other: number): boolean {
    const seen = new Set<number>();
    const open = [index];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (seen.has(one)) continue;
      seen.add(one);
      const waitsFor = dependencies[one] ?? [];
      if (waitsFor.includes(other)) return true;
      open.push(...waitsFor);
    }
    return false;
  }

  /** Goes into a node that begins. True: a gate that surely opens ends the walk. */
  #enter(node: FlowNode, depth: number): boolean {
    if (this.#lines.length > MAX_LINES) return true;
    switch (node.type) {
      case 'unit':
        return this.#unit(node.unitId ?? '', depth);
      case 'sequential':
        return node.parts.some((part) => this.#enter(part.node, depth));
      case 'switch':
        return this.#choices(node, depth);
      case 'router':
        return this.#enterPart(node, 'router', depth) || this.#choices(node, depth);
      case 'delegation':
        return this.#enterPart(node, 'orchestrator', depth) || this.#choices(node, depth);
      case 'parallel':
      case 'race':
      case 'dag':
        return this.#sideBySide(node, depth);
      case 'loop':
      case 'foreach':
        this.#note(`${node.type === 'loop' ? 'Repeated' : 'For'} ${node.note ?? ''}`.trim(), depth);
        return this.#enterPart(node, 'body', depth + 1);
      case 'try':
        return this.#enterPart(node, 'do', depth) || this.#enterPart(node, 'finally', depth);
    }
  }

  #sideBySide(node: FlowNode, depth: number): boolean {
    if (this.#enterPart(node, 'planner', depth)) return true;
    this.#note(node.type === 'race' ? 'The first of:' : 'At once:', depth);
    const branches = node.parts.filter(({ role }) => role === 'branch' || role === 'executor');
    // A gate in one branch does not keep the others from going on.
    const gates = branches.map(({ node: branch }) => this.#enter(branch, depth + 1));
    if (node.type !== 'race' && gates.includes(true)) return true;
    return this.#enterPart(node, 'reducer', depth) || this.#enterPart(node, 'aggregator', depth);
  }

  /** One of several, and nobody knows which yet: a gate in one of them does not end the walk. */
  #choices(node: FlowNode, depth: number): boolean {
    const choices = node.parts.filter(({ choice }) => choice !== null);
    for (const { node: chosen, label, role } of choices) {
      if (role === 'default') this.#note('else:', depth);
      else if (role === 'specialist') this.#note('as it hands out tasks:', depth);
      else this.#note(role === 'route' ? `for ${label ?? ''}:` : `if ${label ?? ''}:`, depth);
      this.#enter(chosen, depth + 1);
    }
    return false;
  }

  #enterPart(node: FlowNode, role: FlowPart['role'], depth: number): boolean {
    const part = partIn(node, role);
    return part !== null && this.#enter(part, depth);
  }

  #unit(unitId: string, depth: number): boolean {
    const { uses = '', condition = null } = this.#tree.units.get(unitId) ?? {};
    if (uses === 'builtin.approval') {
      this.#lines.push({ kind: 'gate', unitId, depth });
      return condition === null;
    }
    this.#lines.push({ kind: 'unit', unitId, uses, condition, depth });
    if (uses !== 'builtin.fail' || condition !== null) return false;
    this.#lines.push({ kind: 'end', text: 'The run fails there.', depth });
    return true;
  }

  #note(text: string, depth: number): void {
    this.#lines.push({ kind: 'note', text, depth });
  }
}

function partOf(around: FlowNode, inside: FlowNode): FlowPart {
  const part = around.parts.find(({ node }) => node === inside);
  if (part === undefined) throw new Error(`${inside.path} is no part of ${around.path}`);
  return part;
}

function partIn(node: FlowNode, role: FlowPart['role']): FlowNode | null {
  return node.parts.find((part) => part.role === role)?.node ?? null;
}

function bounded(lines: readonly Follow[]): readonly Follow[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), { kind: 'end', text: 'And more.', depth: 0 }];
}
