import { parentPort, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { faultOf, type SqliteFault } from '../connection/sqlite-fault.js';

/** A worker's result of one message. */
export type SettledResult<Result> =
  readonly [isDone: true, result: Result] | readonly [isDone: false, fault: SqliteFault];

/** The message that asks a worker to close its files and end. */
export const CLOSE = 'close';

interface Service<Message, Result> {
  handle(message: Message): Result;
  close(): void;
}

interface ServiceTogether<Message, Result> {
  /** Returns one result for each message. When it throws, all of them fail with that error. */
  handle(messages: readonly Message[]): readonly Result[];
  /** Runs after the results were sent: work that no caller waits for. */
  afterwards(): void;
  close(): void;
}

/** The worker's side of `WorkerThread`: it handles one message after the other, each with its result at once. */
export function serve<Message, Result>(service: Service<Message, Result>): void {
  listen(service, (first: Message, port) => {
    port.postMessage(settledResults([first], () => [service.handle(first)]));
    return null;
  });
}

/** As `serve`, but what came while the worker was busy is handled together, and its results are sent in one message. */
export function serveTogether<Message, Result>(service: ServiceTogether<Message, Result>): void {
  listen(service, (first: Message, port) => {
    const messages = [first];
    let next = waitingAt<Message>(port);
    for (; next !== null && next.message !== CLOSE; next = waitingAt<Message>(port))
      messages.push(next.message);
    port.postMessage(settledResults(messages, () => service.handle(messages)));
    service.afterwards();
    return next === null ? null : CLOSE;
  });
}

/** `take` returns `CLOSE` when it found that among the messages that waited. */
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

function settledResults<Result>(
  messages: readonly unknown[],
  handle: () => readonly Result[],
): readonly SettledResult<Result>[] {
  try {
    return handle().map((result) => [true, result]);
  } catch (error) {
    const fault = faultOf(error);
    return messages.map(() => [false, fault]);
  }
}
