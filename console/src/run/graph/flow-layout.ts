import type { FlowNode, FlowPart } from '../flow/flow-node.js';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A unit at one of its locations. */
export interface LaidUnit extends Box {
  readonly node: FlowNode;
}

/** A flow that is drawn as a frame around its parts. */
export interface LaidFrame extends Box {
  readonly node: FlowNode;
  readonly depth: number;
}

/** What is written above a part, such as the condition under which it is taken. */
export interface LaidLabel extends Box {
  readonly text: string;
  readonly path: string;
}

/** A line from the end of one thing to the beginning of the next, and the path of the part that it leads to. */
export interface LaidEdge {
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number };
  readonly path: string;
}

export interface FlowLayout {
  readonly width: number;
  readonly height: number;
  readonly units: readonly LaidUnit[];
  readonly frames: readonly LaidFrame[];
  readonly labels: readonly LaidLabel[];
  readonly edges: readonly LaidEdge[];
}

/** Where the executors of a dag stand, from the left top of them all; in the order of the executors. */
export interface DagPositions {
  readonly width: number;
  readonly height: number;
  readonly at: readonly { readonly x: number; readonly y: number }[];
}

export type DagLayout = (node: FlowNode, sizes: readonly Size[]) => DagPositions;

export interface Size {
  readonly width: number;
  readonly height: number;
}

const UNIT: Size = { width: 208, height: 48 };
const GAP = 24;
const SIDE = 24;
const PADDING = 16;
const HEAD = 32;
const LABEL = 20;

/** Lays a flow out from top to bottom: steps below one another, branches next to one another, each other flow in a frame. */
export function layoutOf(root: FlowNode, dags: DagLayout = rowsByDepth): FlowLayout {
  const out: Drawing = { units: [], frames: [], labels: [], edges: [] };
  const block = blockOf(root, 0, dags);
  block.draw(out, PADDING, PADDING);
  return { width: block.width + 2 * PADDING, height: block.height + 2 * PADDING, ...out };
}

interface Drawing {
  readonly units: LaidUnit[];
  readonly frames: LaidFrame[];
  readonly labels: LaidLabel[];
  readonly edges: LaidEdge[];
}

/** Something that is laid out within itself, and drawn wherever its parent wants it. Lines enter and leave at its middle. */
interface Block extends Size {
  readonly path: string;
  draw(out: Drawing, x: number, y: number): void;
}

function blockOf(node: FlowNode, depth: number, dags: DagLayout): Block {
  if (node.type === 'unit') return unitBlock(node);
  const inner = (part: FlowPart): Block => labelled(blockOf(part.node, depth + 1, dags), part, node);
  if (node.type === 'sequential') return stack(node.path, node.parts.map(inner));
  const of = (...roles: readonly FlowPart['role'][]): readonly Block[] =>
    node.parts.filter(({ role }) => roles.includes(role)).map(inner);
  switch (node.type) {
    case 'parallel':
      return framed(
        node,
        depth,
        stack(node.path, present(sideBySide(node.path, of('branch')), ...of('reducer'))),
      );
    case 'race':
      return framed(node, depth, sideBySide(node.path, of('branch')));
    case 'router':
      return framed(
        node,
        depth,
        stack(node.path, present(...of('router'), sideBySide(node.path, of('route', 'default')))),
      );
    case 'delegation':
      return framed(
        node,
        depth,
        stack(node.path, present(...of('orchestrator'), sideBySide(node.path, of('specialist')))),
      );
    case 'switch':
    case 'try':
      return framed(node, depth, sideBySide(node.path, node.parts.map(inner)));
    case 'loop':
    case 'foreach':
      return framed(node, depth, stack(node.path, of('body')));
    case 'dag':
      return framed(
        node,
        depth,
        stack(
          node.path,
          present(...of('planner'), dagBlock(node, of('executor'), dags), ...of('aggregator')),
        ),
      );
  }
}

function unitBlock(node: FlowNode): Block {
  return { ...UNIT, path: node.path, draw: (out, x, y) => void out.units.push({ node, x, y, ...UNIT }) };
}

/** One below the other, joined by lines. */
function stack(path: string, blocks: readonly Block[]): Block {
  const width = Math.max(0, ...blocks.map((block) => block.width));
  const height = blocks.reduce((sum, block) => sum + block.height + GAP, 0) - (blocks.length > 0 ? GAP : 0);
  return {
    path,
    width,
    height,
    draw(out, x, y) {
      let at = y;
      blocks.forEach((block, index) => {
        const middle = x + width / 2;
        if (index > 0)
          out.edges.push({ from: { x: middle, y: at - GAP }, to: { x: middle, y: at }, path: block.path });
        block.draw(out, x + (width - block.width) / 2, at);
        at += block.height + GAP;
      });
    },
  };
}

/** Next to one another, each entered from the middle above. */
function sideBySide(path: string, blocks: readonly Block[]): Block {
  const width = blocks.reduce((sum, block) => sum + block.width + SIDE, 0) - (blocks.length > 0 ? SIDE : 0);
  const height = Math.max(0, ...blocks.map((block) => block.height)) + (blocks.length > 0 ? GAP : 0);
  return {
    path,
    width,
    height,
    draw(out, x, y) {
      let at = x;
      for (const block of blocks) {
        out.edges.push({
          from: { x: x + width / 2, y },
          to: { x: at + block.width / 2, y: y + GAP },
          path: block.path,
        });
        block.draw(out, at, y + GAP);
        at += block.width + SIDE;
      }
    },
  };
}

function framed(node: FlowNode, depth: number, inside: Block): Block {
  const width = Math.max(inside.width, UNIT.width) + 2 * PADDING;
  const height = inside.height + HEAD + PADDING;
  return {
    path: node.path,
    width,
    height,
    draw(out, x, y) {
      out.frames.push({ node, depth, x, y, width, height });
      inside.draw(out, x + (width - inside.width) / 2, y + HEAD);
    },
  };
}

function labelled(block: Block, part: FlowPart, around: FlowNode): Block {
  const text = labelOf(part, around);
  if (text === null) return block;
  return {
    path: block.path,
    width: block.width,
    height: block.height + LABEL,
    draw(out, x, y) {
      out.labels.push({ text, path: block.path, x, y, width: block.width, height: LABEL });
      block.draw(out, x, y + LABEL);
    },
  };
}

function labelOf({ role, label }: FlowPart, { type }: FlowNode): string | null {
  if (type === 'try') return role;
  if (role === 'case') return `if ${label ?? ''}`;
  if (role === 'route' || role === 'default') return label;
  return role === 'reducer' || role === 'aggregator' || role === 'planner' ? role : null;
}

function dagBlock(node: FlowNode, blocks: readonly Block[], dags: DagLayout): Block {
  const { width, height, at } = dags(node, blocks);
  return {
    path: node.path,
    width,
    height,
    draw(out, x, y) {
      blocks.forEach((block, index) => {
        const place = at[index] ?? { x: 0, y: 0 };
        for (const other of node.dependencies?.[index] ?? []) {
          const [from, place0] = [blocks[other], at[other]];
          if (from === undefined || place0 === undefined) continue;
          out.edges.push({
            from: { x: x + place0.x + from.width / 2, y: y + place0.y + from.height },
            to: { x: x + place.x + block.width / 2, y: y + place.y },
            path: block.path,
          });
        }
        block.draw(out, x + place.x, y + place.y);
      });
    },
  };
}

/** Each executor one row below the lowest of those that it waits for. Needs no library, and crosses lines where another order would not. */
export function rowsByDepth({ dependencies = [] }: FlowNode, sizes: readonly Size[]): DagPositions {
  const depths = new Map<number, number>();
  const depthOf = (index: number, seen: readonly number[]): number => {
    const known = depths.get(index);
    if (known !== undefined) return known;
    const above = (dependencies[index] ?? []).filter((other) => !seen.includes(other));
    const depth = above.reduce((most, other) => Math.max(most, depthOf(other, [...seen, index]) + 1), 0);
    depths.set(index, depth);
    return depth;
  };
  const rows: number[][] = [];
  sizes.forEach((_, index) => (rows[depthOf(index, [])] ??= []).push(index));
  const at: { x: number; y: number }[] = [];
  const widths = rows.map((row) =>
    row.reduce((sum, index) => sum + (sizes[index]?.width ?? 0) + SIDE, -SIDE),
  );
  const width = Math.max(0, ...widths);
  let y = 0;
  rows.forEach((row, depth) => {
    let x = (width - (widths[depth] ?? 0)) / 2;
    for (const index of row) {
      at[index] = { x, y };
      x += (sizes[index]?.width ?? 0) + SIDE;
    }
    y += Math.max(0, ...row.map((index) => sizes[index]?.height ?? 0)) + 2 * GAP;
  });
  return { width, height: Math.max(0, y - 2 * GAP), at };
}

function present(...blocks: readonly (Block | undefined)[]): readonly Block[] {
  return blocks.filter((block) => block !== undefined && block.width > 0) as readonly Block[];
}
