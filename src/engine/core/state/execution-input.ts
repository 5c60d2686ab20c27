import type { JsonValue } from '../json.js';
import type { RunState } from './state.js';

interface HasInput {
  readonly input?: JsonValue;
}

/** What the unit is given: its own input, or the run's. */
export function inputOf(state: RunState, execution: HasInput): JsonValue {
  return execution.input === undefined ? state.input : execution.input;
}

/** The field to copy, which is not there when the run's input is meant. */
export function ownInput({ input }: HasInput): HasInput {
  return input === undefined ? {} : { input };
}
