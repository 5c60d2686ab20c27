import { request as ask, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

/** One event of a stream, as a client has it. */
export interface Received {
  readonly id: string;
  readonly event: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests say by their expectations what it must be
  readonly data: any;
}

/** An open stream of server-sent events, read from its bytes. */
export interface Watched {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Of the frames that were whole, in order. */
  readonly events: readonly Received[];
  /** What came, as it came. */
  readonly text: () => string;
  /** What a reconnect sends; empty: nothing was seen. */
  readonly lastId: () => string;
  /** Resolves once `isThere`, or the stream is over. */
  until(isThere: (events: readonly Received[]) => boolean): Promise<void>;
  /** Resolves when the server has ended it, or the connection is gone. */
  readonly over: Promise<void>;
  leave(): void;
}

export interface WatchOptions {
  readonly lastId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by a POST; absent: it is a GET. */
  readonly body?: object;
  /** Leaves as soon as so many bytes have come, wherever that is. */
  readonly cutAfterBytes?: number;
}

/** Asks for a stream; resolves with its head. */
export function watch(url: string, options: WatchOptions = {}): Promise<Watched> {
  const { lastId, headers, body, cutAfterBytes } = options;
  return new Promise((resolve, reject) => {
    const request = ask(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        accept: 'text/event-stream',
        ...(lastId === undefined || lastId === '' ? {} : { 'last-event-id': lastId }),
        ...headers,
      },
      agent: false,
    });
    request.on('error', reject);
    request.on('response', (response) => resolve(watched(response, lastId ?? '', cutAfterBytes ?? Infinity)));
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function watched(response: IncomingMessage, lastId: string, cutAfterBytes: number): Watched {
  const events: Received[] = [];
  const waiting = new Set<() => void>();
  let text = '';
  let bytes = 0;
  let rest = '';
  let id = lastId;
  const tell = (): void => {
    for (const look of waiting) look();
  };
  const over = new Promise<void>((resolve) => {
    const end = (): void => {
      resolve();
      tell();
    };
    response.on('close', end);
    response.on('error', end);
  });
  let isOver = false;
  void over.then(() => (isOver = true));
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    const taken = chunk.slice(0, Math.max(0, cutAfterBytes - bytes));
    bytes += chunk.length;
    text += taken;
    rest += taken;
    const frames = rest.split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const fields = new Map<string, string>();
      for (const line of frame.split('\n')) {
        const [, name = '', value = ''] = /^([a-z]*): ?(.*)$/.exec(line) ?? [];
        fields.set(name, value);
      }
      id = fields.get('id') ?? id;
      const data = fields.get('data');
      if (data !== undefined)
        events.push({ id, event: fields.get('event') ?? 'message', data: JSON.parse(data) });
    }
    if (bytes >= cutAfterBytes) response.destroy();
    tell();
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    text: () => text,
    lastId: () => id,
    until: (isThere) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!isOver && !isThere(events)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        void over.then(look);
        look();
      }),
    over,
    leave: () => response.destroy(),
  };
}
