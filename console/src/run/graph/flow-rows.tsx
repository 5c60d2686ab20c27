import { StateMark } from '../../ui/state/state-mark.js';
import { PlainText } from '../../ui/text/plain-text.js';
import type { FlowNode, FlowTree } from '../flow/flow-node.js';
import { partStates, withFailure } from '../log/part-states.js';
import type { RunPicture } from '../log/picture.js';
import { emphasisOf, NO_EMPHASIS, NO_STATES } from './emphasis.js';
import { countsText } from './unit-box.js';

/** What a phone shows at once of a flow; the timeline has all of a longer one. */
const MOST_ROWS = 200;

interface Props {
  readonly tree: FlowTree;
  /** Null: the tree is of a definition, which no run goes through. */
  readonly picture: RunPicture | null;
  readonly now: number;
  readonly selected: string | null;
  /** Where the run failed; null: it did not, or nobody knows. */
  readonly failedPath: string | null;
  readonly onSelect: (path: string) => void;
}

/** The flow as rows, for where a graph has no room. */
export function FlowRows({ tree, picture, now, selected, failedPath, onSelect }: Props) {
  const states = picture === null ? NO_STATES : withFailure(partStates(picture, now), failedPath);
  const { untaken, marks, progress } = picture === null ? NO_EMPHASIS : emphasisOf(tree, picture, states);
  const rows: { readonly node: FlowNode; readonly depth: number; readonly label: string | null }[] = [];
  const add = (node: FlowNode, depth: number, label: string | null): void => {
    if (node.type !== 'sequential') rows.push({ node, depth, label });
    for (const part of node.parts)
      add(
        part.node,
        node.type === 'sequential' ? depth : depth + 1,
        part.label ?? (part.role === 'step' || part.role === 'branch' ? null : part.role),
      );
  };
  add(tree.root, 0, null);
  return (
    <ul class="flow-rows">
      {rows.slice(0, MOST_ROWS).map(({ node, depth, label }) => {
        const summary = states.get(node.path);
        const indent = { paddingInlineStart: `${12 + Math.min(depth, 6) * 16}px` };
        const classes = untaken.has(node.path) ? 'dim' : '';
        if (node.unitId === null)
          return (
            <li key={node.path} class={`flow-row flow ${classes}`} style={indent}>
              {label === null ? null : <PlainText text={label} />} <strong>{node.type}</strong>{' '}
              {progress.get(node.path)}
            </li>
          );
        return (
          <li key={node.path} class={classes}>
            <button
              type="button"
              class={node.path === selected ? 'flow-row selected' : 'flow-row'}
              style={indent}
              data-step
              onClick={() => onSelect(node.path)}
            >
              <span class="flow-row-name">
                {label === null ? null : (
                  <span class="small muted">
                    <PlainText text={label} />
                  </span>
                )}
                <PlainText text={node.unitId} />
              </span>
              {picture === null ? (
                <span class="small muted">
                  <PlainText text={tree.units.get(node.unitId)?.uses ?? ''} />
                </span>
              ) : (
                <StateMark state={summary?.state ?? 'pending'}>
                  {summary !== undefined && summary.total > 1 ? countsText(summary) : marks.get(node.path)}
                </StateMark>
              )}
            </button>
          </li>
        );
      })}
      {rows.length > MOST_ROWS ? (
        <li class="flow-row muted">
          {rows.length - MOST_ROWS} more{picture === null ? '' : ': see the timeline'}
        </li>
      ) : null}
    </ul>
  );
}
