import type { JsonObject, RunEvent } from 'flowgate-client';
import {
  asking,
  closing,
  deciding,
  duration,
  notUndone,
  ofItem,
  pausing,
  undoing,
  undone,
  type StepLine,
} from '../../tree/step-line.js';
import { oneLine } from '../../terminal/printable.js';
import type { Tone } from '../../terminal/tone.js';

/**
 * The line that describes an event, in the words of `flowgate run`; null for an event that has no line, such as a
 * newer server's.
 */
export function eventLine(event: RunEvent): StepLine | null {
  const { type, data } = event;
  const unit = ofItem(textOf(data['unitId']) ?? 'run', textOf(data['itemKey']) ?? undefined);
  switch (type) {
    case 'run.forked':
      return line('plain', 'run', `is a fork of the run ${shown(data['fromRunId'])}`);
    case 'run.paused':
      // What it waits for has a line already.
      return data['reason'] === 'waiting' ? null : paused(unit, data);
    case 'run.resumed':
      // That it moves again shows with what moves.
      if (data['reason'] === 'moving') return null;
      return data['reason'] === 'child'
        ? line('plain', unit, `the run ${shown(data['childRunId'])} goes on`)
        : line('plain', 'run', `resumed by ${actorIn(data)}`);
    case 'run.rewound':
      return line('plain', 'run', `taken back to a checkpoint by ${actorIn(data)}`);
    case 'run.completed':
      return line('good', 'run', 'completed');
    case 'run.failed':
      return line('bad', 'run', `failed: ${shown(data['error'])}`);
    case 'run.cancelled':
      return line('bad', 'run', `cancelled by ${actorIn(data)}`);
    case 'unit.scheduled':
      return line('faint', unit, scheduled(data));
    case 'unit.retrying':
      return line('careful', unit, retrying(event));
    case 'unit.finished':
      return line('good', unit, 'finished');
    case 'unit.failed':
      return line('bad', unit, `failed: ${shown(data['error'])}`);
    case 'unit.skipped':
      return line('faint', unit, 'skipped');
    case 'compensation.started':
      return undoing(countIn(data, 'owed'));
    case 'compensation.failed':
      return notUndone(shown(data['error']));
    case 'compensation.finished':
      return undone({
        done: countIn(data, 'done'),
        failed: countIn(data, 'failed'),
        unknown: countIn(data, 'unknown'),
      });
    case 'gate.opened':
      return asking(unit, numberOf(data['gateId']) ?? event.seq, shown(data['title']));
    case 'gate.decided':
      return deciding(unit, data['approved'] === true, shown(data['responder']), viaIn(data));
    case 'gate.closed':
      return closing(unit, textOf(data['why']));
    default:
      return null;
  }
}

function line(tone: Tone, subject: string, text: string): StepLine {
  return { tone, subject, text };
}

function paused(unitId: string, data: JsonObject): StepLine {
  if (data['reason'] === 'child')
    return line('careful', unitId, `waits: the run ${shown(data['childRunId'])} is paused`);
  const reason = shown(data['reason']);
  if (reason === 'requested') return pausing({ unitId, reason, error: `Paused by ${actorIn(data)}` });
  return pausing({ unitId, reason, error: textOf(data['error']) });
}

function scheduled(data: JsonObject): string {
  const { kind, dueAt, childRunId, childWorkflowId } = data;
  if (kind === 'timer') return waitText(numberOf(dueAt));
  if (kind === 'child') return `started the run ${shown(childRunId)} of ${shown(childWorkflowId)}`;
  return 'started';
}

function waitText(dueAt: number | null): string {
  // Dates beyond this cannot be formatted.
  return dueAt !== null && Math.abs(dueAt) <= 8.64e15
    ? `waits until ${new Date(dueAt).toISOString()}`
    : 'waits';
}

function retrying({ at, data }: RunEvent): string {
  const { attempt, error, retryAt } = data;
  const pause = duration((numberOf(retryAt) ?? at) - at);
  return `attempt ${shown(attempt)} failed, the next one in ${pause}: ${shown(error)}`;
}

function actorIn({ by }: JsonObject): string {
  const { id } = Object(by) as { readonly id?: unknown };
  return shown(id);
}

function viaIn({ by }: JsonObject): string | undefined {
  const { via } = Object(by) as { readonly via?: unknown };
  return typeof via === 'string' ? via : undefined;
}

/** A value that was left out for its size, or that the server no longer has, is shown as a dash. */
function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? oneLine(String(value)) : '…';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function countIn(data: JsonObject, name: string): number {
  return numberOf(data[name]) ?? 0;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
