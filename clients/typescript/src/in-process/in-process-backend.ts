import type { Backend } from '../backend.js';
import { jsonText } from '../calls/json-text.js';
import { FlowgateApiError } from '../errors/api-error.js';
import type { UnitHandler } from '../types/units.js';
import { EngineAccess } from './engine-access.js';
import type { EngineLike } from './engine-like.js';
import { InProcessAccess } from './in-process-access.js';
import { InProcessEvents } from './in-process-events.js';
import { InProcessLists } from './in-process-lists.js';
import { InProcessSnapshots } from './in-process-snapshots.js';
import { InProcessTransfer } from './in-process-transfer.js';
import { notFound } from './not-found.js';
import { InProcessVersions } from './in-process-versions.js';
import { refusedStart } from './refused-start.js';

const PAGE_LIMIT = 1_000;

/** Runs workflows in this process. The engine is loaded and opened at the first call that needs one. */
export class InProcessBackend implements Backend {
  readonly lists: InProcessLists;
  readonly events: InProcessEvents;
  readonly snapshots: InProcessSnapshots;
  readonly transfer: InProcessTransfer;
  readonly versions: InProcessVersions;
  readonly access = new InProcessAccess();
  readonly #access: EngineAccess;

  constructor(given: EngineLike | undefined, options: object) {
    const access = new EngineAccess(given, options);
    this.#access = access;
    this.lists = new InProcessLists(access);
    this.events = new InProcessEvents(access);
    this.snapshots = new InProcessSnapshots(access);
    this.transfer = new InProcessTransfer(access);
    this.versions = new InProcessVersions(access);
  }

  async register(request: Parameters<Backend['register']>[0]): Promise<{ readonly workflowId: string }> {
    const { yaml, bindings } = request;
    const { workflowId } = await this.#access.ask('registering', (engine) =>
      engine.workflows.register({ yaml, bindings }),
    );
    return { workflowId };
  }

  async start(request: Parameters<Backend['start']>[0]) {
    const input = sent(request.input, 'The input');
    return this.#access.ask('steering', (engine) => engine.runs.start({ ...request, input }));
  }

  async startBatch({ workflowId, runs }: Parameters<Backend['startBatch']>[0], signal: AbortSignal) {
    const starts = runs.map((start, index) => ({
      ...start,
      input: sent(start.input, `runs[${index}].input`),
    }));
    const results = await this.#access.ask('finding', (engine) =>
      engine.runs.startBatch({ workflowId, runs: starts, signal }),
    );
    return results.map((result) => (result.ok ? result.run : refusedStart(result.error)));
  }

  async fork(request: Parameters<Backend['fork']>[0]) {
    const edits = {
      input: sent(request.input, 'input'),
      state: sent(request.state, 'state'),
      unitInput: sent(request.unitInput, 'unitInput'),
    };
    return this.#access.ask('finding', (engine) => engine.runs.fork({ ...request, ...edits }));
  }

  get({ workflowId, runId, view }: Parameters<Backend['get']>[0]) {
    const address = { workflowId, runId };
    return this.#access.ask('reading', ({ runs }) =>
      view === 'full' ? runs.full(address) : runs.get(address),
    );
  }

  async getById({ runId, view }: Parameters<Backend['getById']>[0]) {
    const address = await this.#access.ask('reading', ({ runs }) => runs.locate(runId));
    if (address === null) return notFound(`Unknown run: ${runId}`, 'unknown-run');
    return this.get({ workflowId: address.workflowId, runId, view });
  }

  resume({ snapshotId, budget, ...request }: Parameters<Backend['resume']>[0]) {
    return this.#access.ask('steering', (engine) =>
      engine.runs.resume({
        ...request,
        ...(snapshotId === undefined ? {} : { snapshotId }),
        ...(budget === undefined ? {} : { budget: { ...budget } as Limits }),
      }),
    );
  }

  cancel({ by, ...request }: Parameters<Backend['cancel']>[0]) {
    return this.#access.ask('stopping', (engine) => engine.runs.cancel({ ...request, by: claimed(by) }));
  }

  pause({ by, ...request }: Parameters<Backend['pause']>[0]) {
    return this.#access.ask('stopping', (engine) => engine.runs.pause({ ...request, by: claimed(by) }));
  }

  compensate({ by, ...request }: Parameters<Backend['compensate']>[0]) {
    return this.#access.ask('stopping', (engine) => engine.runs.compensate({ ...request, by: claimed(by) }));
  }

  respond({ gateId, comment, ...request }: Parameters<Backend['respond']>[0]) {
    return this.#access.ask('steering', (engine) =>
      engine.gates.respond({
        ...request,
        ...(gateId === undefined ? {} : { gateId }),
        ...(comment === undefined ? {} : { comment }),
      }),
    );
  }

  async messages({ workflowId, runId, after = '0', limit }: Parameters<Backend['messages']>[0]) {
    if (!/^\d{1,15}$/.test(after)) {
      throw new FlowgateApiError({
        status: 400,
        code: 'invalid-request',
        error: 'cursor is none of these messages: give `next` of the page before, or leave it out',
      });
    }
    const page = { afterSeq: Number(after), limit: Math.min(limit ?? PAGE_LIMIT, PAGE_LIMIT) };
    const { messages, next } = await this.#access.ask('reading', (engine) =>
      engine.runs.messages({ workflowId, runId, ...page }),
    );
    return { messages, next: next === null ? null : String(next) };
  }

  /** The interface says so: in process nothing is searched. */
  search() {
    return Promise.resolve({ results: [] });
  }

  health() {
    return this.#access.ask('reading', async (engine) => {
      const { store } = await engine.health();
      const items = await engine.workflows.list();
      return {
        ok: store === 'ok' && !engine.isClosing,
        workflows: items.map(({ workflowId }) => workflowId),
      };
    });
  }

  registerUnit(uses: string, handler: UnitHandler): void {
    this.#access.registerUnit(uses, handler);
  }

  close(): Promise<void> {
    return this.#access.close();
  }

  silence(timeoutMs: number): string {
    return `The engine did not answer within ${timeoutMs} ms`;
  }
}

type Limits = NonNullable<Parameters<EngineLike['runs']['resume']>[0]['budget']>;

function claimed(id: string) {
  return { id, owner: null, via: 'in-process', auth: 'none' } as const;
}

/** A copy, and of JSON: as if it had been sent. */
function sent(value: unknown, name: string): never {
  return (value === undefined ? undefined : JSON.parse(jsonText(value, name))) as never;
}
