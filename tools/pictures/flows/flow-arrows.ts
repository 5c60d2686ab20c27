import type { FlowNode, FlowPart } from '../../../console/src/run/flow/flow-node.ts';
import type { Box, FlowLayout } from '../../../console/src/run/graph/flow-layout.ts';
import type { LineLook, Point } from '../drawing/svg.ts';

export interface FlowArrow {
  readonly points: readonly Point[];
  readonly look: LineLook;
}

/** Where lines arrive at a node, and where they leave it. */
export interface Ends {
  readonly entries: readonly Entry[];
  readonly exits: readonly Point[];
}

interface Entry extends Point {
  /** What stands above it and is passed by: the height of its label. */
  readonly above: number;
  /** The border of a frame is passed, and has no head. */
  readonly isPassed: boolean;
}

/** Between things that follow one another, as the console's layout has it: a line turns in the middle of it. */
const HALF_GAP = 12;
/** Around what is in a frame, on each side. */
const FRAME_PADDING = 16;

/**
 * The lines of a flow over the layout of the console: its boxes and frames stand where the console has them, and lines say in
 * addition what comes back, what fails and what is joined, which a graph that moves shows by itself.
 */
export function arrowsOf(
  root: FlowNode,
  layout: FlowLayout,
): { readonly arrows: readonly FlowArrow[]; readonly ends: Ends } {
  const lines = new FlowLines(layout);
  const ends = lines.of(root);
  return { arrows: lines.arrows, ends };
}

class FlowLines {
  readonly arrows: FlowArrow[] = [];
  readonly #layout: FlowLayout;

  constructor(layout: FlowLayout) {
    this.#layout = layout;
  }

  of(node: FlowNode): Ends {
    if (node.type === 'unit') return endsOf(this.#box(node));
    if (node.type === 'sequential') return this.#chain(node.parts.map((part) => this.#part(part)));
    const frame = this.#box(node);
    const border = endsOf(frame);
    const inside = this.#inside(node, frame);
    this.#connect(border.entries, inside.entries);
    for (const exit of inside.exits) this.#join(exit, border.exits[0] ?? exit);
    return { entries: border.entries.map((entry) => ({ ...entry, isPassed: true })), exits: border.exits };
  }

  #inside(node: FlowNode, frame: Box): Ends {
    const of = (...roles: readonly FlowPart['role'][]): readonly Ends[] =>
      node.parts.filter(({ role }) => roles.includes(role)).map((part) => this.#part(part));
    switch (node.type) {
      case 'parallel':
        return this.#chain([together(of('branch')), ...of('reducer')]);
      case 'router':
        return this.#chain([...of('router'), together(of('route', 'default'))]);
      case 'delegation':
        return this.#delegation(node, frame);
      case 'loop': {
        const body = this.#chain(of('body'));
        this.#back(node, body);
        return body;
      }
      case 'dag':
        return this.#chain([...of('planner'), this.#dag(node), ...of('aggregator')]);
      case 'try':
        return this.#try(node, frame);
      default:
        return together(node.parts.map((part) => this.#part(part)));
    }
  }

  /** One stage after another. */
  #chain(stages: readonly Ends[]): Ends {
    stages.slice(1).forEach((stage, index) => this.#connect(stages[index]?.exits ?? [], stage.entries));
    return { entries: stages[0]?.entries ?? [], exits: stages.at(-1)?.exits ?? [] };
  }

  #connect(from: readonly Point[], to: readonly Entry[], look: LineLook = {}): void {
    for (const entry of to)
      for (const exit of from) {
        const turn = entry.y - entry.above - HALF_GAP;
        const points = [exit, { x: exit.x, y: turn }, { x: entry.x, y: turn }, entry];
        this.arrows.push({ points, look: { heads: entry.isPassed ? 'none' : 'end', ...look } });
      }
  }

  /** To the lower border of a frame, right above it. */
  #join(from: Point, to: Point): void {
    const turn = to.y - FRAME_PADDING / 2;
    this.#add([from, { x: from.x, y: turn }, { x: to.x, y: turn }, to], { heads: 'none' });
  }

  #dag(node: FlowNode): Ends {
    const executors = node.parts.filter(({ role }) => role === 'executor').map((part) => this.#part(part));
    const { dependencies = [] } = node;
    const waitedFor = new Set(dependencies.flat());
    dependencies.forEach((others, index) =>
      this.#connect(
        others.flatMap((other) => executors[other]?.exits ?? []),
        executors[index]?.entries ?? [],
      ),
    );
    const roots = executors.filter((_, index) => (dependencies[index] ?? []).length === 0);
    const leaves = executors.filter((_, index) => !waitedFor.has(index));
    return { entries: roots.flatMap(({ entries }) => entries), exits: leaves.flatMap(({ exits }) => exits) };
  }

  /** Tasks go down, and what comes of them goes back up: who leads is also who ends. */
  #delegation(node: FlowNode, frame: Box): Ends {
    const [lead, ...specialists] = node.parts;
    if (lead === undefined) return together([]);
    const ends = this.#part(lead);
    for (const part of specialists) this.#connect(ends.exits, this.#part(part).entries, { heads: 'both' });
    this.#leaveAround(this.#box(lead.node), frame);
    return { entries: ends.entries, exits: [] };
  }

  /** `do`, `catch` and `finally` stand next to one another, in this order. */
  #try(node: FlowNode, frame: Box): Ends {
    const [tried, caught, last] = (['do', 'catch', 'finally'] as const).map((role) =>
      node.parts.find((part) => part.role === role),
    );
    if (tried === undefined) return together([]);
    const ends = this.#part(tried);
    const handled = caught === undefined ? together([]) : this.#part(caught);
    const from = this.#box(lastUnitIn(tried.node));
    const below = (part: FlowPart, share: number, look: LineLook): void => {
      const target = this.#box(part.node);
      const x = target.x + target.width / 2;
      const y = from.y + from.height * share;
      this.#add(
        [
          { x: from.x + from.width, y },
          { x, y },
          { x, y: target.y + target.height },
        ],
        look,
      );
    };
    if (caught !== undefined) below(caught, 0.25, { colour: 'failed', isDashed: true });
    if (last === undefined) return { entries: ends.entries, exits: [...ends.exits, ...handled.exits] };
    this.#part(last);
    below(last, 0.75, {});
    const box = this.#box(last.node);
    if (caught !== undefined) {
      const right = rightOf(this.#box(caught.node));
      this.#add([right, { x: box.x, y: right.y }], {});
    }
    this.#leaveAround(box, frame);
    return { entries: ends.entries, exits: [] };
  }

  /** Out of a frame past what stands below the box: along the right of the frame, and to the middle of its lower border. */
  #leaveAround(box: Box, frame: Box): void {
    const from = rightOf(box);
    const x = frame.x + frame.width - FRAME_PADDING / 2;
    const corner = { x, y: frame.y + frame.height - FRAME_PADDING / 2 };
    const middle = frame.x + frame.width / 2;
    const end = { x: middle, y: frame.y + frame.height };
    this.#add([from, { x, y: from.y }, corner, { x: middle, y: corner.y }, end], { heads: 'none' });
  }

  /** From the end of a pass to the beginning of the next one, along the right of it. */
  #back(node: FlowNode, body: Ends): void {
    const boxes = unitsIn(node).map((unit) => this.#box(unit));
    const first = boxes.find(({ y }) => y === body.entries[0]?.y);
    const last = boxes.findLast(({ y, height }) => y + height === body.exits[0]?.y);
    if (first === undefined || last === undefined) return;
    const x = Math.max(...boxes.map((box) => box.x + box.width)) + 2 * HALF_GAP;
    const [start, end] = first === last ? [0.75, 0.25] : [0.5, 0.5];
    const [from, to] = [rightOf(last, start), rightOf(first, end)];
    this.#add([from, { x, y: from.y }, { x, y: to.y }, to], { colour: 'accent' });
  }

  #part({ node }: FlowPart): Ends {
    const ends = this.of(node);
    const label = this.#layout.labels.find(({ path }) => path === node.path);
    if (label === undefined) return ends;
    return { ...ends, entries: ends.entries.map((entry) => ({ ...entry, above: label.height })) };
  }

  /** Where a node stands; without a frame, that which its parts fill. */
  #box(node: FlowNode): Box {
    const { units, frames } = this.#layout;
    return (
      [...units, ...frames].find((laid) => laid.node === node) ??
      around(node.parts.map((part) => this.#box(part.node)))
    );
  }

  #add(points: readonly Point[], look: LineLook): void {
    this.arrows.push({ points, look });
  }
}

function around(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  return { x, y, width, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
}

function together(all: readonly Ends[]): Ends {
  return { entries: all.flatMap(({ entries }) => entries), exits: all.flatMap(({ exits }) => exits) };
}

function endsOf({ x, y, width, height }: Box): Ends {
  const middle = x + width / 2;
  return { entries: [{ x: middle, y, above: 0, isPassed: false }], exits: [{ x: middle, y: y + height }] };
}

function rightOf({ x, y, width, height }: Box, share = 0.5): Point {
  return { x: x + width, y: y + height * share };
}

function unitsIn(node: FlowNode): readonly FlowNode[] {
  return node.type === 'unit' ? [node] : node.parts.flatMap((part) => unitsIn(part.node));
}

function lastUnitIn(node: FlowNode): FlowNode {
  const last = unitsIn(node).at(-1);
  if (last === undefined) throw new Error(`${node.path} has no unit: a flow of a picture has one.`);
  return last;
}
