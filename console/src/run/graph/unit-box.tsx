import { StateShape } from '../../ui/state/state-mark.js';
import { STATE_WORDS } from '../../ui/state/states.js';
import { PlainText } from '../../ui/text/plain-text.js';
import type { PartSummary } from '../log/part-states.js';
import type { LaidUnit } from './flow-layout.js';

interface Props {
  readonly unit: LaidUnit;
  readonly uses: string;
  /** False: of a definition, of which nothing is heard. */
  readonly hasState: boolean;
  readonly summary: PartSummary | undefined;
  readonly isSelected: boolean;
  readonly isDim: boolean;
  readonly isTabStop: boolean;
  readonly mark: string | null;
  readonly onSelect: () => void;
  readonly onFocus: () => void;
}

/** A unit in the graph: its name, what it uses, and how it stands. */
export function UnitBox({
  unit,
  uses,
  hasState,
  summary,
  isSelected,
  isDim,
  isTabStop,
  mark,
  onSelect,
  onFocus,
}: Props) {
  const state = summary?.state ?? 'pending';
  const { x, y, width, height, node } = unit;
  const many = summary !== undefined && summary.total > 1 ? countsText(summary) : null;
  const classes = [
    'unit-box',
    hasState ? `is-${state}` : '',
    isSelected ? 'selected' : '',
    isDim ? 'dim' : '',
    summary?.isInherited === true ? 'inherited' : '',
  ];
  return (
    <button
      type="button"
      class={classes.join(' ')}
      data-path={node.path}
      tabIndex={isTabStop ? 0 : -1}
      aria-pressed={isSelected}
      style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}
      onClick={onSelect}
      onFocus={onFocus}
    >
      {hasState ? <StateShape state={state} /> : null}
      <span class="unit-text">
        <span class="unit-name">
          <PlainText text={node.unitId ?? ''} />
        </span>
        {!hasState || mark === state ? null : <span class="unseen">{STATE_WORDS[state]}</span>}
        <span class="unit-uses">{many ?? mark ?? <PlainText text={uses} />}</span>
      </span>
    </button>
  );
}

export function countsText({ counts }: PartSummary): string {
  return [...counts].map(([state, count]) => `${count} ${STATE_WORDS[state]}`).join(' · ');
}
