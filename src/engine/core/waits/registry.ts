import { child } from './child.js';
import { deadline } from './deadline.js';
import { execution } from './execution.js';
import { gate } from './gate.js';
import { pause } from './pause.js';
import { timer } from './timer.js';

/** Every kind of wait and its one file. What a kind adds to events, signals, commands and messages follows from it. */
export const WAIT_KINDS = {
  execution,
  gate,
  timer,
  pause,
  child,
  deadline,
};
