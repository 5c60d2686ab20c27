import { InvalidRequestError } from '../../../errors/request-errors.js';
import { sleep, type Clock } from '../../ports/clock.js';
import type { ListChange } from '../../run-lists.js';
import type { BackgroundWork } from '../../scheduling/background-work.js';
import { OpenStreams } from '../streams/open-streams.js';
import type { ListQueries } from './list-queries.js';
import { FRAME_MS, type ListFrame, type ListQuery } from './list-query.js';
import { untilLeft } from './until-left.js';
import type { WatchedList } from './watched-list.js';

/** A list that changes all the time is shown again at most this often. */
const ANEW_MS = 1_000;

export interface ListStreamOptions {
  readonly queries: ListQueries;
  readonly background: Pick<BackgroundWork, 'run'>;
  readonly clock: Clock;
}

export interface WatchRequest {
  readonly signal?: AbortSignal | undefined;
  /** Changes are sent to one client after another, in rounds of callers. Default: one for all that give none. */
  readonly caller?: string | undefined;
}

type Client = WatchRequest & { readonly signal: AbortSignal };

/**
 * Streams the changes of a list: first all of its first page, and again whenever more has changed than can be sent
 * individually. A change shows the run as it is at that time, not what happened in between. A client that leaves is released
 * at once, whatever it waits for.
 *
 * It is a cursor of its own, and no `LogCursor`: that holds the page that it gave last, which may have megabytes here.
 */
export class ListStream {
  private readonly open = new OpenStreams();

  constructor(private readonly options: ListStreamOptions) {}

  close(): void {
    this.open.close();
    this.options.queries.close();
  }

  async *watch<Item>(
    make: () => WatchedList<Item>,
    { signal: given, caller }: WatchRequest,
  ): AsyncGenerator<ListChange<Item>, void, void> {
    const { queries, clock } = this.options;
    const list = make();
    const { signal, release } = this.open.add(given);
    const wait = (ms: number) => sleep(clock, Math.max(0, ms), signal);
    const client = new ListClient<Item>();
    let query: ListQuery<Item> | null = null;
    try {
      if (signal.aborted) return;
      query = await queries.open(list);
      // No frame is kept in a variable: the generator would hold its page in memory until there is another one.
      yield client.show(await query.first.next(signal));
      let shownAt = clock.now();
      for (await wait(FRAME_MS); !signal.aborted;) {
        await query.wait(client.version, signal);
        await this.inBackground({ signal, caller });
        const next = client.next(query);
        if (next === null) continue;
        if (next === 'lost') {
          await wait(shownAt + ANEW_MS - clock.now());
          if (signal.aborted) return;
          yield client.show(await this.anew(query, { signal, caller }));
          shownAt = clock.now();
        } else yield next;
        await wait(FRAME_MS);
      }
    } catch (error) {
      // A client that has left gets no error either.
      if (!signal.aborted) throw error;
    } finally {
      if (query !== null) queries.leave(list);
      release();
    }
  }

  /** The page is read once for many clients; sending it to each of them costs more, and gives way to runs as well. */
  private async anew<Item>(query: ListQuery<Item>, client: Client): Promise<ListFrame<Item>> {
    const frame = await query.anew.next(client.signal);
    await this.inBackground(client);
    return frame;
  }

  /** The turn of this client among all that are sent something. Rejects as soon as it has left. */
  private inBackground({ signal, caller }: Client): Promise<void> {
    return untilLeft(
      this.options.background.run(() => Promise.resolve(), { caller }),
      signal,
    );
  }
}

/** How far a client of a list has come. */
class ListClient<Item> {
  version = 0;
  private shownTo = 0;

  show({ change, version, position }: ListFrame<Item>): ListChange<Item> {
    this.version = version;
    this.shownTo = position;
    return change;
  }

  /** The next change that the client was not shown on its page. */
  next(query: ListQuery<Item>): ListChange<Item> | 'lost' | null {
    for (;;) {
      const frame = query.after(this);
      if (frame === null || frame === 'lost') return frame;
      this.version = frame.version;
      if (frame.position > this.shownTo) return frame.change;
    }
  }
}

/** A list that is watched has no pages. Throws an `InvalidRequestError`. */
export function refuseCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  throw new InvalidRequestError('A list that is watched begins with its first page: leave cursor out');
}
