import type { ComponentChildren, JSX } from 'preact';
import { STATE_WORDS, type State } from './states.js';

const SHAPES: Readonly<Record<State, JSX.Element>> = {
  running: (
    <>
      <circle cx="8" cy="8" r="6" fill="none" stroke-width="1.75" />
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" stroke="none" />
    </>
  ),
  gate: <path d="M8 1.5 14.5 8 8 14.5 1.5 8z" fill="currentColor" stroke="none" />,
  paused: <path d="M4 2.5h3v11H4zM9 2.5h3v11H9z" fill="currentColor" stroke="none" />,
  retrying: <path d="M13 8a5 5 0 1 1-1.6-3.7M13.2 1.5v3.6H9.6" fill="none" stroke-width="1.75" />,
  completed: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" stroke="none" />
      <path class="inner" d="m4.8 8.2 2.2 2.2 4.2-4.6" fill="none" stroke-width="1.75" />
    </>
  ),
  failed: (
    <>
      <rect x="1.5" y="1.5" width="13" height="13" rx="2" fill="currentColor" stroke="none" />
      <path class="inner" d="m5.2 5.2 5.6 5.6m0-5.6-5.6 5.6" fill="none" stroke-width="1.75" />
    </>
  ),
  waiting: <path d="M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.8V8l2.2 1.6" fill="none" stroke-width="1.5" />,
  pending: <circle cx="8" cy="8" r="5.5" fill="none" stroke-width="1.75" />,
  skipped: <path d="M2 8h2.4M6.8 8h2.4M11.6 8H14" fill="none" stroke-width="2" />,
  cancelled: <path d="M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM3.8 12.2l8.4-8.4" fill="none" stroke-width="1.75" />,
  lost: <path d="M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM3.8 12.2l8.4-8.4" fill="none" stroke-width="1.75" />,
};

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
      {SHAPES[state]}
    </svg>
  );
}
