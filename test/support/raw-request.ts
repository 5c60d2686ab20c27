import { connect, type Socket } from 'node:net';
import type { Body } from './service.js';

export interface RawAnswer {
  readonly status: number;
  /** The first line and the headers. */
  readonly head: string;
  readonly body: Body;
  /** All that came. */
  readonly text: string;
}

/** A connection that is open. */
export function open(url: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}

/** All that comes until the other side closes; a reset ends it as well. */
export function answerOn(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), head, body: asJson(body), text });
    });
  });
}

/** Sends bytes as they are, and gives the answer once the service closes. */
export async function sendRaw(url: string, text: string): Promise<RawAnswer> {
  const socket = await open(url);
  const answer = answerOn(socket);
  socket.write(text);
  return answer;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
