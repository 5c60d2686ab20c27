import type { ServerResponse } from 'node:http';
import type { Behaviour, ReceivedRequest } from '../../../../test/support/unit-server.js';

/** The beginning of every event stream. */
export function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 1\n\n');
}

export function frame(fields: {
  readonly id?: number | string;
  readonly event?: string;
  readonly data?: unknown;
}) {
  const { id, event, data } = fields;
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
  ];
  return `${lines.join('\n')}\n\n`;
}

export const eventOf = (seq: number, type = 'unit.finished') => ({
  runId: 'r',
  workflowId: 'w',
  seq,
  at: 1_000 + seq,
  type,
  data: { unitId: `unit ${seq}` },
});

export const frameOf = (seq: number): string =>
  frame({ id: seq, event: 'unit.finished', data: eventOf(seq) });

export const END = frame({ event: 'end', data: { status: 'completed' } });

/** A stream of these frames: as far as `cutAt` of its characters, then the connection is gone. */
export function streamed(text: string, cutAt = text.length): Behaviour {
  return (_request, response) => {
    begin(response);
    response.write(text.slice(0, cutAt), () => {
      if (cutAt < text.length) response.destroy();
      else response.end();
    });
  };
}

export function afterSeqOf({ headers, url }: ReceivedRequest): number {
  const { searchParams } = new URL(url, 'http://x');
  return Number(headers['last-event-id'] ?? searchParams.get('afterSeq') ?? 0);
}
