import type { ComponentChildren } from 'preact';
import { STATE_SHAPES } from './shapes.js';
import { STATE_WORDS, type State } from './states.js';

interface Props {
  readonly state: State;
  /** In place of the state's own word. */
  readonly children?: ComponentChildren;
}

/** Shape, word and colour of a state. */
export function StateMark({ state, children }: Props) {
  return (
    <span class={`state state-${state}`}>
      <StateShape state={state} />
      <span>{children ?? STATE_WORDS[state]}</span>
    </span>
  );
}

/** The shape alone, next to a text that says the word. */
export function StateShape({ state }: { readonly state: State }) {
  return (
    <svg class={`shape state-${state}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {STATE_SHAPES[state].map(({ path, lineWidth, isInner }) =>
        lineWidth === null ? (
          <path key={path} d={path} fill="currentColor" stroke="none" />
        ) : (
          <path
            key={path}
            class={isInner === true ? 'inner' : undefined}
            d={path}
            fill="none"
            stroke-width={lineWidth}
          />
        ),
      )}
    </svg>
  );
}
