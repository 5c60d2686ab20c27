import type { State } from './states.js';

/** A part of a shape of 16 by 16: filled, or drawn as a line of that width. */
export interface ShapePart {
  /** As SVG writes a path; a canvas reads the same. */
  readonly path: string;
  readonly lineWidth: number | null;
  /** It stands out of a filled part, in the colour of the ground. */
  readonly isInner?: boolean;
}

const RING = 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z';
const filled = (path: string): ShapePart => ({ path, lineWidth: null });
const line = (path: string, lineWidth = 1.75): ShapePart => ({ path, lineWidth });
const inner = (path: string): ShapePart => ({ ...line(path), isInner: true });
const SLASHED = [line(`${RING}M3.8 12.2l8.4-8.4`)];

/** The shape of each state: no two are told apart by their colour alone. */
export const STATE_SHAPES: Readonly<Record<State, readonly ShapePart[]>> = {
  running: [line(RING), filled('M8 2a6 6 0 0 1 0 12z')],
  gate: [filled('M8 1.5 14.5 8 8 14.5 1.5 8z')],
  paused: [filled('M4 2.5h3v11H4zM9 2.5h3v11H9z')],
  retrying: [line('M13 8a5 5 0 1 1-1.6-3.7M13.2 1.5v3.6H9.6')],
  completed: [filled('M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1z'), inner('m4.8 8.2 2.2 2.2 4.2-4.6')],
  failed: [
    filled('M3.5 1.5h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2z'),
    inner('m5.2 5.2 5.6 5.6m0-5.6-5.6 5.6'),
  ],
  waiting: [line(`${RING}M8 4.8V8l2.2 1.6`, 1.5)],
  pending: [line('M8 2.5a5.5 5.5 0 1 1 0 11A5.5 5.5 0 0 1 8 2.5z')],
  skipped: [line('M2 8h2.4M6.8 8h2.4M11.6 8H14', 2)],
  cancelled: SLASHED,
  lost: SLASHED,
};
