import type { RunRecord } from '../../../src/engine/index.js';

export interface OpenGate {
  readonly gateId: number;
  readonly unitId: string;
}

export interface Message {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** An event as `view=log` shows it. */
export interface LogEvent {
  readonly seq: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The gates that wait in a paused run: asked for since the last rewind, and not answered. */
export function openGates({ result }: RunRecord): readonly OpenGate[] {
  const messages = (result?.messages ?? []) as readonly Message[];
  const open = new Map<number, OpenGate>();
  for (const { type, gateId, unitId } of messages) {
    if (type === 'rewound') open.clear();
    if (type === 'hitl-request')
      open.set(gateId as number, { gateId: gateId as number, unitId: unitId as string });
    if (type === 'hitl-response') open.delete(gateId as number);
  }
  return [...open.values()];
}
