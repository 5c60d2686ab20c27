import type { Execution, RunPicture } from '../log/picture.js';

/** A line of the timeline. Scopes hold what ran in them; what undoes something stands in a section of its own. */
export type TimelineRow =
  | {
      readonly kind: 'scope';
      readonly key: string;
      readonly label: string;
      readonly depth: number;
      readonly count: number;
      readonly isOpen: boolean;
      readonly from: number;
      readonly to: number | null;
    }
  | { readonly kind: 'more'; readonly key: string; readonly label: string; readonly depth: number }
  | { readonly kind: 'section'; readonly key: string; readonly label: string; readonly depth: number }
  | {
      readonly kind: 'call';
      readonly key: string;
      readonly execution: Execution;
      readonly undoes: Execution | null;
      readonly depth: number;
    };

/** Passes beyond so many are folded, until somebody opens them. */
const SHOWN_PASSES = 20;

/** `closed`: scopes that somebody closed. `opened`: fan-outs of which somebody wants to see all passes. */
export interface Folding {
  readonly closed: ReadonlySet<string>;
  readonly opened: ReadonlySet<string>;
}

interface Branch {
  readonly id: string;
  readonly calls: Execution[];
  readonly branches: Branch[];
}

export function timelineRows(picture: RunPicture, { closed, opened }: Folding): readonly TimelineRow[] {
  const forward = picture.executions.filter(({ compensates }) => compensates === null);
  const undoing = picture.executions.filter(({ compensates }) => compensates !== null);
  const rows: TimelineRow[] = [];
  const add = (branch: Branch, depth: number): void => {
    // In the order in which they began; a branch begins with its first call.
    const shownPasses = new Map<string, number>();
    const parts = [
      ...branch.calls.map((execution) => ({ at: execution.id, execution, inner: null })),
      ...branch.branches.map((inner) => ({ at: firstOf(inner), execution: null, inner })),
    ].sort((a, b) => a.at - b.at);
    for (const { execution, inner } of parts) {
      if (execution !== null)
        rows.push({ kind: 'call', key: `c${execution.id}`, execution, undoes: null, depth });
      if (inner === null) continue;
      const fanOut = inner.id.slice(0, inner.id.lastIndexOf('#'));
      const shown = (shownPasses.get(fanOut) ?? 0) + 1;
      shownPasses.set(fanOut, shown);
      if (shown > SHOWN_PASSES && !opened.has(fanOut)) continue;
      const isOpen = !closed.has(inner.id);
      rows.push({
        kind: 'scope',
        key: inner.id,
        label: scopeLabel(inner.id, picture),
        depth,
        isOpen,
        ...spanOf(inner),
      });
      if (isOpen) add(inner, depth + 1);
    }
    for (const [fanOut, count] of shownPasses)
      if (count > SHOWN_PASSES && !opened.has(fanOut))
        rows.push({ kind: 'more', key: fanOut, label: `${count - SHOWN_PASSES} more`, depth });
  };
  add(branchesOf(forward), 0);
  if (undoing.length > 0) {
    rows.push({ kind: 'section', key: 'undo', label: 'Undo', depth: 0 });
    const byId = new Map(picture.executions.map((execution) => [execution.id, execution]));
    for (const execution of undoing)
      rows.push({
        kind: 'call',
        key: `c${execution.id}`,
        execution,
        undoes: byId.get(execution.compensates ?? 0) ?? null,
        depth: 1,
      });
  }
  return rows;
}

/** A scope's id names those around it. */
function branchesOf(executions: readonly Execution[]): Branch {
  const root: Branch = { id: '', calls: [], branches: [] };
  const byId = new Map<string, Branch>([['', root]]);
  const branchOf = (id: string): Branch => {
    const known = byId.get(id);
    if (known !== undefined) return known;
    const branch: Branch = { id, calls: [], branches: [] };
    byId.set(id, branch);
    branchOf(id.slice(0, id.lastIndexOf('>'))).branches.push(branch);
    return branch;
  };
  for (const execution of executions) branchOf(execution.scope).calls.push(execution);
  return root;
}

function firstOf({ calls, branches }: Branch): number {
  return Math.min(calls[0]?.id ?? Infinity, ...branches.map(firstOf));
}

function spanOf(branch: Branch): {
  readonly count: number;
  readonly from: number;
  readonly to: number | null;
} {
  const all: Execution[] = [];
  const collect = ({ calls, branches }: Branch): void => {
    all.push(...calls);
    branches.forEach(collect);
  };
  collect(branch);
  const from = all.reduce((least, { startedAt }) => Math.min(least, startedAt), Infinity);
  const isOpen = all.some(({ endedAt }) => endedAt === null);
  return {
    count: all.length,
    from,
    to: isOpen ? null : all.reduce((most, { endedAt }) => Math.max(most, endedAt ?? 0), 0),
  };
}

function scopeLabel(id: string, { scopes }: RunPicture): string {
  const key = scopes.get(id)?.key ?? null;
  const index = Number(id.slice(id.lastIndexOf('#') + 1)) + 1;
  return key === null ? `${index}` : key;
}
