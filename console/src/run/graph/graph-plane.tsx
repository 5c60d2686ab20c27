import { PlainText } from '../../ui/text/plain-text.js';
import type { FlowTree } from '../flow/flow-node.js';
import type { PartSummary } from '../log/part-states.js';
import type { RunEmphasis } from './emphasis.js';
import type { LaidFrame, LaidLabel, LaidUnit } from './flow-layout.js';
import { countsText, UnitBox } from './unit-box.js';

/** What of a graph is made of elements: what is near enough to be read, and the unit that the keyboard is at. */
export interface NearParts {
  readonly frames: readonly LaidFrame[];
  readonly labels: readonly LaidLabel[];
  readonly units: readonly LaidUnit[];
}

interface Props {
  readonly near: NearParts;
  readonly tree: FlowTree;
  /** False: of a definition, of which nothing is heard. */
  readonly hasStates: boolean;
  readonly states: ReadonlyMap<string, PartSummary>;
  readonly emphasis: RunEmphasis;
  readonly selected: string | null;
  readonly tabStop: string | null;
}

export function GraphPlane({ near, tree, hasStates, states, emphasis, selected, tabStop }: Props) {
  return (
    <>
      {near.frames.map(({ node, x, y, width }) => (
        <span
          key={node.path}
          class={emphasis.untaken.has(node.path) ? 'frame-name dim' : 'frame-name'}
          style={{ left: `${x + 12}px`, top: `${y + 8}px`, maxWidth: `${width - 24}px` }}
        >
          <strong>{node.type}</strong> {node.note === null ? null : <PlainText text={node.note} />}{' '}
          {emphasis.progress.get(node.path)}
        </span>
      ))}
      {near.labels.map(({ path, text, x, y, width }) => (
        <span
          key={path}
          class={emphasis.untaken.has(path) ? 'part-name dim' : 'part-name'}
          style={{ left: `${x}px`, top: `${y}px`, width: `${width}px` }}
          title={text}
        >
          <PlainText text={text} />
        </span>
      ))}
      {near.units.map((unit) => {
        const { path, unitId } = unit.node;
        const summary = states.get(path);
        const state = hasStates ? (summary?.state ?? 'pending') : null;
        const many = summary !== undefined && summary.total > 1 ? countsText(summary) : null;
        const mark = emphasis.marks.get(path) ?? null;
        return (
          <UnitBox
            key={path}
            unit={unit}
            state={state}
            note={many ?? mark ?? tree.units.get(unitId ?? '')?.uses ?? ''}
            isStateNoted={mark === state}
            isSelected={path === selected}
            isDim={emphasis.untaken.has(path)}
            isInherited={summary?.isInherited === true}
            isTabStop={path === tabStop}
          />
        );
      })}
    </>
  );
}
