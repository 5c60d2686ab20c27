import type { PublicEvent, PublicEventType } from '../../engine/index.js';
import { storedInCommandWords } from '../command-words.js';
import { oneLine } from '../terminal/printable.js';
import type { Tone } from '../terminal/tone.js';

export interface StepLine {
  readonly tone: Tone;
  /** The unit's id, or `run`. */
  readonly subject: string;
  /** The text without its duration. */
  readonly text: string;
}

/** The fields of events that lines are made of. */
interface Data {
  readonly unitId: string | null;
  readonly attempt: number;
  readonly error?: string;
  readonly retryAt: number;
  readonly gateId: number;
  readonly title: string;
  readonly approved: boolean;
  readonly responder: string;
  readonly itemKey?: string;
  readonly reason: string;
  readonly why: string;
  readonly pauseId?: number | null;
  readonly owed: number;
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
}

/** The line that describes an event; null: it has none. `flowgate watch` uses the same words, with more of them. */
export function lineOf({ type, data: given, at }: PublicEvent): StepLine | null {
  const data = given as unknown as Data;
  const subject = ofItem(data.unitId ?? '', data.itemKey);
  switch (type as PublicEventType) {
    case 'unit.scheduled':
      return { tone: 'faint', subject, text: 'started' };
    case 'unit.finished':
    case 'state.written':
      return { tone: 'good', subject, text: 'finished' };
    case 'unit.retrying': {
      const { attempt, error = '', retryAt } = data;
      return { ...retrying({ attempt, error, delayMs: retryAt - at }), subject };
    }
    case 'unit.failed':
      return { tone: 'bad', subject, text: `failed: ${oneLine(data.error ?? '')}` };
    case 'unit.skipped':
      return { tone: 'faint', subject, text: 'skipped' };
    case 'compensation.started':
      return undoing(data.owed);
    case 'compensation.failed':
      return notUndone(oneLine(data.error ?? ''));
    case 'compensation.finished':
      return undone(data);
    case 'gate.opened':
      return asking(subject, data.gateId, data.title);
    case 'gate.decided':
      return deciding(subject, data.approved, data.responder);
    case 'gate.closed':
      return closing(subject, data.why);
    case 'run.paused': {
      const { reason, error = null } = data;
      // What it waits for has a line already.
      return reason === 'waiting' ? null : pausing({ unitId: subject, reason, error });
    }
    case 'run.resumed':
      return data.pauseId === undefined ? null : { tone: 'plain', subject: 'run', text: 'resumed' };
    case 'run.rewound':
      return { tone: 'plain', subject: 'run', text: 'went back to a checkpoint' };
    case 'run.started':
    case 'run.forked':
    case 'run.completed':
    case 'run.failed':
    case 'run.cancelled':
      return null;
  }
}

function retrying(retry: { readonly attempt: number; readonly error: string; readonly delayMs: number }) {
  const { attempt, error, delayMs } = retry;
  const text = `attempt ${attempt} failed, the next one in ${duration(delayMs)}: ${oneLine(error)}`;
  return { tone: 'careful', text } as const;
}

export function asking(subject: string, gateId: number, title: string): StepLine {
  return { tone: 'careful', subject, text: `waits for a decision (gate ${gateId}): ${oneLine(title)}` };
}

/** `via`: how the decision came, where that is known; a decision over MCP is marked. */
export function deciding(subject: string, approved: boolean, responder: string, via?: string): StepLine {
  const [tone, verdict] = approved ? (['good', 'approved'] as const) : (['bad', 'rejected'] as const);
  return { tone, subject, text: `${verdict} by ${oneLine(responder)}${via === 'mcp' ? ' over MCP' : ''}` };
}

/** The unit, and the item of its pass where that has a name. */
export function ofItem(unitId: string, itemKey: string | undefined): string {
  return itemKey === undefined ? unitId : `${unitId} (${oneLine(itemKey)})`;
}

/** `why`: see `GATE_CLOSINGS`; null: it is not known. */
export function closing(subject: string, why: string | null): StepLine {
  const because = why === null ? '' : ` (${oneLine(why)})`;
  return { tone: 'plain', subject, text: `waits for a decision no more${because}` };
}

export function undoing(owed: number): StepLine {
  return { tone: 'careful', subject: 'run', text: `undoes ${owed} ${owed === 1 ? 'call' : 'calls'}` };
}

export function notUndone(error: string): StepLine {
  return { tone: 'bad', subject: 'run', text: `could not undo a call: ${error}` };
}

export function undone(ends: {
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
}): StepLine {
  const { done, failed, unknown } = ends;
  const text = [
    `${done} undone`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ];
  return { tone: failed > 0 ? 'bad' : 'plain', subject: 'run', text: text.join(', ') };
}

/** A pause that was requested concerns the whole run, and its error names who requested it. */
export function pausing(pause: {
  readonly unitId: string;
  readonly reason: string;
  readonly error: string | null;
}): StepLine {
  const { unitId, reason, error } = pause;
  const text =
    error === null ? `paused (${reason})` : `paused (${reason}): ${oneLine(storedInCommandWords(error))}`;
  return { tone: 'careful', subject: unitId === '' ? 'run' : unitId, text };
}

/** `12 ms`, `1.2 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  const rounded = Math.max(0, Math.round(ms));
  if (rounded < 1_000) return `${rounded} ms`;
  if (rounded < 60_000) return `${(rounded / 1_000).toFixed(1)} s`;
  return `${Math.floor(rounded / 60_000)} min ${Math.floor((rounded % 60_000) / 1_000)} s`;
}
