import type { ServerResponse } from 'node:http';
import { Inject, Injectable, Logger, StreamableFile, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { EdgeOptions } from '../../config/edge-options.js';
import { ACCESS } from '../../config/access/access-tokens.js';
import { FLOWGATE_OPTIONS } from '../../config/options.module.js';
import { checkedSse, type SseOptions } from '../../config/sse-options.js';
import { StreamsFullError } from '../../errors/edge-errors.js';
import { Yielder } from '../../engine/scheduling/yielder.js';
import { ShuttingDownError } from '../../errors/service-errors.js';
import { logBrokenResponse } from '../refusals/broken-response.js';
import type { Access } from '../access/access.js';
import type { Dismissal } from '../access/admission-watch.js';
import { DividedSlots } from '../../engine/scheduling/shares/divided-slots.js';
import { authenticatedOf, sharerOf } from '../identity/authenticated.js';
import type { EdgeResponse } from '../edge-response.js';
import { EventStream, type FrameSource } from './event-stream.js';
import { UNAUTHORIZED } from './frames.js';
import { onTheWayOf } from './on-the-way.js';
import { UnsentBytes } from './unsent-bytes.js';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** How many streams are worked on per round of the event loop: most take a third of a millisecond. */
const WORKED_ON_AT_ONCE = 4;

/** The open streams of an instance: a limited number, divided among those who are authenticated, and none after its shutdown. */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Flowgate');
  private readonly open = new Set<EventStream>();
  private readonly slots: DividedSlots;
  private readonly unsent = new UnsentBytes();
  private readonly yielder = new Yielder({ rounds: 1, atOnce: WORKED_ON_AT_ONCE });
  private readonly settings: Readonly<Required<SseOptions>>;
  private isClosed = false;

  /** Throws a `ConfigError`. */
  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(FLOWGATE_OPTIONS) { sse }: EdgeOptions,
    @Inject(ACCESS) private readonly access: Pick<Access, 'admissions'> | null,
  ) {
    this.settings = checkedSse(sse);
    this.slots = new DividedSlots(this.settings.maxStreams);
  }

  /** How many streams are open. */
  get count(): number {
    return this.open.size;
  }

  /** Throws a `StreamsFullError` or a `ShuttingDownError` if no stream can be opened. Called before anything is read. */
  assertCapacity(response: EdgeResponse): void {
    if (this.isClosed) throw new ShuttingDownError();
    if (!this.slots.mayTake(sharerOf(writtenBy(response).req))) throw new StreamsFullError();
  }

  /**
   * The response with the stream, which ends once its request would be refused. `workflowId`: the one that it tells of; absent: it
   * tells of all that its principal is shown. Throws as `assertCapacity` does.
   */
  answer(
    response: EdgeResponse,
    source: FrameSource,
    { workflowId = null }: { readonly workflowId?: string | null } = {},
  ): StreamableFile {
    this.assertCapacity(response);
    // Not every adapter ends what it sends when the client goes, or closes the connection when the stream is destroyed.
    const written = writtenBy(response);
    const parts = { unsent: this.unsent, yielder: this.yielder, onTheWay: onTheWayOf(written) };
    const stream = new EventStream(source, this.settings, parts);
    this.open.add(stream);
    const giveBack = this.slots.take(sharerOf(written.req));
    stream.once('close', () => {
      this.open.delete(stream);
      giveBack();
      if (!stream.readableEnded) written.destroy();
    });
    this.watchAdmission(stream, written, workflowId);
    if (written.destroyed) stream.destroy();
    else written.once('close', () => stream.destroy());
    const { httpAdapter } = this.host;
    for (const [name, value] of Object.entries(HEADERS)) httpAdapter.setHeader(response, name, value);
    return this.asFile(stream);
  }

  /** The response to a client that reconnects when nothing is left; it does not reconnect again. */
  nothingLeft(response: EdgeResponse): undefined {
    const { httpAdapter } = this.host;
    httpAdapter.status(response, 204);
    httpAdapter.setHeader(response, 'Cache-Control', 'no-store');
    return undefined;
  }

  /** Open streams would keep the server from closing; their clients reconnect to the next process. */
  beforeApplicationShutdown(): void {
    this.isClosed = true;
    for (const stream of this.open) stream.end();
  }

  /** From now on: before, the guard let the request in. */
  private watchAdmission(stream: EventStream, written: ServerResponse, workflowId: string | null): void {
    const known = this.access === null ? undefined : authenticatedOf(written.req);
    if (this.access === null || known === undefined) return;
    const dismiss = (why: Dismissal): void => stream.dismiss(why === 'unauthorized' ? UNAUTHORIZED : null);
    stream.once('close', this.access.admissions.watch({ known, workflowId, dismiss }));
  }

  private asFile(stream: EventStream): StreamableFile {
    const say = (error: Error): void => logBrokenResponse(this.logger, error);
    const file = new StreamableFile(stream, { type: HEADERS['Content-Type'] });
    file.setErrorHandler((error, response) => {
      say(error);
      response.destroy?.();
    });
    return file.setErrorLogger(say);
  }
}

/** Node's own response. */
function writtenBy(response: EdgeResponse): ServerResponse {
  return response.raw ?? response;
}
