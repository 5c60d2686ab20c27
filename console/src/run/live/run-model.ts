import { signal } from '@preact/signals';
import type { FlowgateClient, FullRunRecord, RunEvent } from 'flowgate-client/remote';
import { flowTreeFor } from '../../documents/document-of.js';
import type { FlowTree } from '../flow/flow-node.js';
import { RunFold, type InheritedEvent } from '../log/fold-events.js';
import type { RunPicture } from '../log/picture.js';
import { eventsBetween, loadLog, MOST_EVENTS } from './run-log.js';

/** The record is read again at most so often while events come. */
const RECORD_EVERY_MS = 1_000;
/** A stream that was refused, or ended, is asked for again after so long. */
const AGAIN_AFTER_MS = 5_000;

/** All that is known of one run, while somebody looks at it. */
export class RunModel {
  readonly record = signal<FullRunRecord | null>(null);
  readonly picture = signal<RunPicture | null>(null);
  /** Oldest first. */
  readonly events = signal<readonly RunEvent[]>([]);
  /** What a fork inherited, numbered as its own log numbers it. */
  readonly inherited = signal<readonly InheritedEvent[]>([]);
  /** The first that was read, where there are older ones. */
  readonly firstSeq = signal<number | null>(null);
  /** While older ones are read; an error: why they were not. */
  readonly earlier = signal<'reading' | Error | null>(null);
  readonly definition = signal<{ readonly yaml: string; readonly tree: FlowTree | null } | null>(null);
  /** Why nothing of the run can be shown. */
  readonly error = signal<Error | null>(null);
  /** Why there is no definition: the version is kept no longer, or one may not read it. */
  readonly definitionError = signal<Error | null>(null);
  readonly #ended = new AbortController();
  #isLoading = false;
  #stream: AbortController | null = null;
  #fold = new RunFold();
  #beginning: readonly RunEvent[] = [];
  #recordTimer: ReturnType<typeof setTimeout> | null = null;
  #frame = 0;
  #arrived: RunEvent[] = [];

  constructor(
    readonly client: FlowgateClient,
    readonly workflowId: string,
    readonly runId: string,
  ) {}

  /** Reads the run and follows it. Returns what ends that. */
  begin(): () => void {
    const onVisibility = (): void => (document.hidden ? this.#leave() : this.follow());
    document.addEventListener('visibilitychange', onVisibility);
    void this.#load();
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      this.#ended.abort();
      this.#leave();
      cancelAnimationFrame(this.#frame);
      if (this.#recordTimer !== null) clearTimeout(this.#recordTimer);
    };
  }

  /** After something was asked of the run, which may move again. */
  follow(): void {
    if (this.#ended.signal.aborted || this.picture.value === null) return;
    this.#renewRecord();
    if (this.#stream !== null || document.hidden) return;
    const stream = new AbortController();
    this.#stream = stream;
    void this.#watch(stream.signal).finally(() => {
      if (this.#stream === stream) this.#stream = null;
    });
  }

  /** Reads the events before those that are there. */
  async readEarlier(): Promise<void> {
    const first = this.firstSeq.value;
    if (first === null || this.earlier.value === 'reading') return;
    this.earlier.value = 'reading';
    const afterSeq = Math.max(0, first - 1 - MOST_EVENTS);
    const { signal: ended } = this.#ended;
    try {
      const older = await eventsBetween(this.client, this, afterSeq, first - 1, ended);
      const known = this.events.value.filter(({ seq }) => seq >= first);
      const beginning = this.#beginning.filter(({ seq }) => seq <= afterSeq);
      this.firstSeq.value = afterSeq === 0 ? null : afterSeq + 1;
      this.#show([...beginning, ...older, ...known]);
      this.earlier.value = null;
    } catch (error) {
      if (!ended.aborted) this.earlier.value = error as Error;
    }
  }

  async #load(): Promise<void> {
    // Pressed twice, it is read once.
    if (this.#isLoading) return;
    this.#isLoading = true;
    const { client, workflowId, runId } = this;
    const { signal: ended } = this.#ended;
    this.error.value = null;
    try {
      const record = client.getRun(workflowId, runId, { view: 'full', signal: ended }).then((read) => {
        this.record.value = read;
      });
      const log = loadLog(client, this, ended, (first) => void this.#define(first));
      const [{ events, beginning, firstSeq, inherited }] = await Promise.all([log, record]);
      this.inherited.value = inherited;
      this.#beginning = beginning;
      this.firstSeq.value = firstSeq;
      this.#show(events);
      this.follow();
    } catch (error) {
      if (!ended.aborted) this.error.value = error as Error;
    } finally {
      this.#isLoading = false;
    }
  }

  again(): void {
    void this.#load();
  }

  #show(events: readonly RunEvent[]): void {
    this.#fold = new RunFold();
    this.#fold.take([...this.inherited.peek(), ...events]);
    this.events.value = events;
    this.picture.value = this.#fold.picture;
  }

  async #define(events: readonly RunEvent[]): Promise<void> {
    const hash = events.find(({ type }) => type === 'run-started')?.data['definitionHash'];
    if (typeof hash !== 'string') return;
    const { signal: ended } = this.#ended;
    try {
      const { yaml } = await this.client.getWorkflow(this.workflowId, { hash, signal: ended });
      const tree = await flowTreeFor(yaml);
      if (!ended.aborted) this.definition.value = { yaml, tree };
    } catch (error) {
      if (!ended.aborted) this.definitionError.value = error as Error;
    }
  }

  async #watch(left: AbortSignal): Promise<void> {
    while (!left.aborted) {
      try {
        const afterSeq = this.#arrived.at(-1)?.seq ?? this.events.value.at(-1)?.seq ?? 0;
        const options = { view: 'log', afterSeq, signal: left } as const;
        for await (const event of this.client.watchRun(this.workflowId, this.runId, options))
          this.#take(event);
        // The service has nothing more to tell: the run is over.
        this.#renewRecord();
        return;
      } catch {
        if (left.aborted) return;
        await pause(AGAIN_AFTER_MS, left);
      }
    }
  }

  /** What comes within a frame is shown at once. */
  #take(event: RunEvent): void {
    this.#arrived.push(event);
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const arrived = this.#arrived;
      this.#arrived = [];
      if (!this.#fold.take(arrived)) return;
      this.events.value = [...this.events.value, ...arrived];
      this.picture.value = this.#fold.picture;
      this.#renewRecord();
    });
  }

  #renewRecord(): void {
    this.#recordTimer ??= setTimeout(() => {
      this.#recordTimer = null;
      const { client, workflowId, runId } = this;
      client.getRun(workflowId, runId, { view: 'full', signal: this.#ended.signal }).then(
        (record) => (this.record.value = record),
        // The bar says that the service is gone; what is shown stays.
        () => undefined,
      );
    }, RECORD_EVERY_MS);
  }

  #leave(): void {
    this.#stream?.abort();
    this.#stream = null;
  }
}

function pause(ms: number, left: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    left.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
