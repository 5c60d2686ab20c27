import type { RunStep } from '../../engine/index.js';
import { oneLine } from '../terminal/printable.js';
import type { Tone } from '../terminal/tone.js';

export interface StepLine {
  readonly tone: Tone;
  /** The unit's id, or `run`. */
  readonly subject: string;
  /** The text without its duration. */
  readonly text: string;
}

/** The line that describes a step; `flowgate watch` uses the same words for events. */
export function lineOf(step: RunStep): StepLine {
  switch (step.type) {
    case 'unit-started':
      return { tone: 'faint', subject: step.unitId, text: 'started' };
    case 'unit-finished':
      return { tone: 'good', subject: step.unitId, text: 'finished' };
    case 'unit-retry':
      return { ...retrying(step), subject: step.unitId };
    case 'unit-failed':
      return { tone: 'bad', subject: step.unitId, text: `failed: ${oneLine(step.error)}` };
    case 'unit-skipped':
      return { tone: 'faint', subject: step.unitId, text: 'skipped' };
    case 'gate-opened':
      return asking(step.unitId, step.gateId, step.title);
    case 'gate-decided':
      return deciding(step.unitId, step.approved, step.responder);
    case 'paused':
      return pausing(step);
    case 'resumed':
      return { tone: 'plain', subject: 'run', text: 'resumed' };
    case 'rewound':
      return { tone: 'plain', subject: 'run', text: 'went back to a checkpoint' };
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

/** A pause that was requested concerns the whole run, and its error names who requested it. */
export function pausing(pause: {
  readonly unitId: string;
  readonly reason: string;
  readonly error: string | null;
}): StepLine {
  const { unitId, reason, error } = pause;
  const text = error === null ? `paused (${reason})` : `paused (${reason}): ${oneLine(error)}`;
  return { tone: 'careful', subject: unitId === '' ? 'run' : unitId, text };
}

/** `12 ms`, `1.2 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  const rounded = Math.max(0, Math.round(ms));
  if (rounded < 1_000) return `${rounded} ms`;
  if (rounded < 60_000) return `${(rounded / 1_000).toFixed(1)} s`;
  return `${Math.floor(rounded / 60_000)} min ${Math.floor((rounded % 60_000) / 1_000)} s`;
}
