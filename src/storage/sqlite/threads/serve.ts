import { parentPort, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { faultOf, type SqliteFault } from '../connection/sqlite-fault.js';

/** What a worker answers to one message. */
export type Answer<Result> =
  readonly [isDone: true, result: Result] | readonly [isDone: false, fault: SqliteFault];

/** Asks a worker to close its files and end. */
export const CLOSE = 'close';

interface Service<Message, Result> {
  handle(message: Message): Result;
  close(): void;
}

interface ServiceTogether<Message, Result> {
  /** One result for each message. When it throws, that is the answer to all of them. */
  handle(messages: readonly Message[]): readonly Result[];
  /** After the answers were sent: work that nobody waits for. */
  afterwards(): void;
  close(): void;
}

/** The worker's side of `WorkerThread`: one message after the other, each answered at once. */
export function serve<Message, Result>(service: Service<Message, Result>): void {
  listen(service, (first: Message, port) => {
    port.postMessage(answersTo([first], () => [service.handle(first)]));
    return null;
  });
}

/** As `serve`, but what came while the worker was busy is handled together, and answered by one message. */
export function serveTogether<Message, Result>(service: ServiceTogether<Message, Result>): void {
  listen(service, (first: Message, port) => {
    const messages = [first];
    let next = waitingAt<Message>(port);
    for (; next !== null && next.message !== CLOSE; next = waitingAt<Message>(port))
      messages.push(next.message);
    port.postMessage(answersTo(messages, () => service.handle(messages)));
    service.afterwards();
    return next === null ? null : CLOSE;
  });
}

/** `take` answers `CLOSE` when it met that among what waited behind the message. */
function listen<Message>(
  service: { close(): void },
  take: (message: Message, port: MessagePort) => typeof CLOSE | null,
): void {
  const port = parentPort;
  if (port === null) throw new Error('This file runs in a worker thread');
  port.on('message', (message: Message | typeof CLOSE) => {
    if (message !== CLOSE && take(message as Message, port) !== CLOSE) return;
    service.close();
    port.close();
  });
}

function waitingAt<Message>(port: MessagePort): { readonly message: Message | typeof CLOSE } | null {
  return (receiveMessageOnPort(port) as { readonly message: Message | typeof CLOSE } | undefined) ?? null;
}

function answersTo<Result>(
  messages: readonly unknown[],
  handle: () => readonly Result[],
): readonly Answer<Result>[] {
  try {
    return handle().map((result) => [true, result]);
  } catch (error) {
    const fault = faultOf(error);
    return messages.map(() => [false, fault]);
  }
}
