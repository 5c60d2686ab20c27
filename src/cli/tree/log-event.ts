/** An event of a run in the view `log`, be it a server's or that of an engine of this process. */
export interface LogEvent {
  readonly workflowId: string;
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Empty: the event has no location. */
  readonly path: string;
  readonly scope: string;
}

/** Where the events of a run are read. */
export interface LogSource {
  /** Those that there are behind that seq, in their order. */
  eventsAfter(seq: number): AsyncIterable<SentEvent>;
  /** The event with all of its values. */
  whole(seq: number): Promise<SentEvent>;
}

/** As it is sent: without a location where it has none, and without values that are long. */
export type SentEvent = Omit<LogEvent, 'path' | 'scope'> & {
  readonly path?: string;
  readonly scope?: string;
  readonly cut?: readonly { readonly pointer: string }[];
};

/** The events that are new. A list of items is needed whole, to know how many they are. */
export async function* newEvents(source: LogSource, afterSeq: number): AsyncGenerator<LogEvent> {
  for await (const sent of source.eventsAfter(afterSeq)) {
    const isShort = sent.type === 'items-opened' && sent.cut !== undefined;
    const event = isShort ? await source.whole(sent.seq) : sent;
    yield { ...event, path: event.path ?? '', scope: event.scope ?? '' };
  }
}
