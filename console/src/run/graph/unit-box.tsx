import { Component } from 'preact';
import { StateShape } from '../../ui/state/state-mark.js';
import { STATE_WORDS, type State } from '../../ui/state/states.js';
import { PlainText } from '../../ui/text/plain-text.js';
import type { PartSummary } from '../log/part-states.js';
import type { LaidUnit } from './flow-layout.js';

interface Props {
  readonly unit: LaidUnit;
  /** Null: of a definition, of which nothing is heard. */
  readonly state: State | null;
  /** Below its name: what it uses, how often it ran, whether it won a race. */
  readonly note: string;
  /** The note says the state. */
  readonly isStateNoted: boolean;
  readonly isSelected: boolean;
  readonly isDim: boolean;
  readonly isInherited: boolean;
  readonly isTabStop: boolean;
}

/** A unit in the graph. Hundreds are in view while a picture changes many times in a second: one that stays as it was costs nothing. */
export class UnitBox extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    return (Object.keys(next) as (keyof Props)[]).some((name) => next[name] !== this.props[name]);
  }

  override render({ unit, state, note, isStateNoted, isSelected, isDim, isInherited, isTabStop }: Props) {
    const { x, y, width, height, node } = unit;
    const classes = [
      'unit-box',
      state === null ? '' : `is-${state}`,
      isSelected ? 'selected' : '',
      isDim ? 'dim' : '',
      isInherited ? 'inherited' : '',
    ];
    return (
      <button
        type="button"
        class={classes.join(' ')}
        data-path={node.path}
        tabIndex={isTabStop ? 0 : -1}
        aria-pressed={isSelected}
        style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}
      >
        {state === null ? null : <StateShape state={state} />}
        <span class="unit-text">
          <span class="unit-name">
            <PlainText text={node.unitId ?? ''} />
          </span>
          {isStateNoted || state === null ? null : <span class="unseen">{STATE_WORDS[state]}</span>}
          <span class="unit-uses">
            <PlainText text={note} />
          </span>
        </span>
      </button>
    );
  }
}

export function countsText({ counts }: PartSummary): string {
  return [...counts].map(([state, count]) => `${count} ${STATE_WORDS[state]}`).join(' · ');
}
