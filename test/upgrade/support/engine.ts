import type {
  createEngine,
  JsonObject,
  RunMessage,
  RunRecord,
  UnitTransport,
} from '../../../src/engine/index.js';
import type { Clock } from '../../../src/engine/ports/clock.js';
import type { SqliteRunStore } from '../../../src/storage/sqlite/sqlite-run-store.js';

/** What is taken of a build: the sources under test, or the `dist` of the release that writes the fixtures. */
export interface Build {
  readonly createEngine: typeof createEngine;
  readonly SqliteRunStore: typeof SqliteRunStore;
  /** Where the build's worker threads are; left out: next to its store. */
  readonly workers?: URL;
}

export interface Address {
  readonly workflowId: string;
  readonly runId: string;
}

/** One call of a unit, as the unit sees it. */
export interface UnitCall {
  readonly runId: string;
  readonly unitId: string;
  readonly key: string;
  readonly attempt: number;
  readonly input: unknown;
  readonly state: JsonObject;
}

export type Unit = (call: UnitCall) => unknown;

export interface OpenRequest {
  readonly folder: string;
  readonly clock: Clock;
  readonly encryptionKey: Uint8Array | null;
  readonly units: Readonly<Record<string, Unit>>;
  /** Absent: real HTTP. */
  readonly transport?: UnitTransport | undefined;
  /** The ids of the runs to come; absent: as always. */
  readonly runId?: (() => string) | undefined;
}

/** A request that the engine refused. */
export interface Refusal {
  readonly refused: string;
  readonly details: unknown;
}

/** Messages that 0.1.0 did not know yet. */
const LATER_MESSAGES: ReadonlySet<string> = new Set(['unit-failed', 'run-failed', 'run-paused']);

/**
 * The engine as these tests and the script that makes their fixtures use it. Nothing else of `test/upgrade` calls
 * into a build, so that an interface that changed between two releases is met here and nowhere else.
 */
export class FolderEngine {
  private readonly engine: ReturnType<typeof createEngine>;

  private constructor(engine: ReturnType<typeof createEngine>) {
    this.engine = engine;
  }

  /** The units are there before the runs are recovered, as they are in a service. */
  static async open(build: Build, request: OpenRequest): Promise<FolderEngine> {
    const { folder, clock, encryptionKey, units, transport, runId } = request;
    const { workers } = build;
    const engine = build.createEngine({
      store: new build.SqliteRunStore({ folder, ...(workers === undefined ? {} : { workers }) }),
      clock,
      encryptionKey,
      shutdownGraceMs: 0,
      sameInstantMs: 0,
      ...(transport === undefined ? {} : { transport }),
      ...(runId === undefined ? {} : { ids: { runId } }),
    });
    for (const [uses, unit] of Object.entries(units)) {
      engine.registerUnit(uses, ({ input, state, context }, { idempotencyKey: key }) => {
        const { unitId, attempt } = context;
        return unit({ runId: context.runId, unitId, key, attempt, input, state });
      });
    }
    await engine.open();
    return new FolderEngine(engine);
  }

  async register(yaml: string, bindings: JsonObject = {}): Promise<void> {
    await this.engine.workflows.register({ yaml, bindings });
  }

  start(request: {
    readonly workflowId: string;
    readonly input: JsonObject;
    readonly idempotencyKey?: string | undefined;
  }): Promise<RunRecord> {
    return this.engine.runs.start(request);
  }

  resume(
    request: Address & {
      readonly snapshotId?: string | undefined;
      readonly idempotencyKey?: string | undefined;
    },
  ): Promise<RunRecord> {
    return this.engine.runs.resume(request);
  }

  respond(
    request: Address & {
      readonly approved: boolean;
      readonly responder: string;
      readonly gateId?: number | undefined;
      readonly idempotencyKey?: string | undefined;
    },
  ): Promise<RunRecord> {
    return this.engine.gates.respond(request);
  }

  /** As the release that wrote the folder showed it: what a later build shows besides is left out here. */
  async record(address: Address): Promise<RunRecord> {
    const record = await this.engine.runs.get(address);
    if (record.result === undefined) return record;
    const messages = record.result.messages.filter(({ type }) => !LATER_MESSAGES.has(type));
    return { ...record, result: { ...record.result, messages } };
  }

  async messages(address: Address): Promise<readonly RunMessage[]> {
    return (await this.engine.runs.messages(address)).messages;
  }

  /** All checkpoints, oldest first. */
  snapshots(address: Address) {
    return this.engine.runs.snapshots(address);
  }

  snapshot(request: Address & { readonly snapshotId: string }) {
    return this.engine.runs.snapshot(request);
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}

/** What a refusal says to programs; anything else that is thrown is a fault and is thrown on. */
export function refusalOf(error: unknown): Refusal {
  const { code, details = null } = error as { readonly code?: unknown; readonly details?: unknown };
  if (!(error instanceof Error) || typeof code !== 'string') throw error;
  return { refused: code, details };
}
