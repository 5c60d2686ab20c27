import { parentPort } from 'node:worker_threads';
import { faultOf, type SqliteFault } from '../connection/sqlite-fault.js';

/** What a worker answers to one message, in the order of the messages. */
export type Answer<Result> =
  readonly [isDone: true, result: Result] | readonly [isDone: false, fault: SqliteFault];

/** Asks a worker to close its files and end. */
export const CLOSE = 'close';

interface Service<Message, Result> {
  handle(message: Message): Result;
  /** After an answer was sent: work that nobody waits for. */
  afterwards?(): void;
  close(): void;
}

/** The worker's side of `WorkerThread`: one message after the other. */
export function serve<Message, Result>(service: Service<Message, Result>): void {
  const port = parentPort;
  if (port === null) throw new Error('This file runs in a worker thread');
  port.on('message', (message: Message | typeof CLOSE) => {
    if (message === CLOSE) {
      service.close();
      port.close();
      return;
    }
    port.postMessage(answerTo(service, message));
    service.afterwards?.();
  });
}

function answerTo<Message, Result>(service: Service<Message, Result>, message: Message): Answer<Result> {
  try {
    return [true, service.handle(message)];
  } catch (error) {
    return [false, faultOf(error)];
  }
}
