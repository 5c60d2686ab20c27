import type { SnapshotBackend } from '../backend.js';
import { FlowgateApiError } from '../errors/api-error.js';
import type { Snapshot, SnapshotPage } from '../types/snapshots.js';
import type { EngineAccess } from './engine-access.js';

const PAGE_LIMIT = 1_000;

/** The checkpoints of an engine's runs. */
export class InProcessSnapshots implements SnapshotBackend {
  readonly #access: EngineAccess;

  constructor(access: EngineAccess) {
    this.#access = access;
  }

  async page({ cursor, limit, ...run }: Parameters<SnapshotBackend['page']>[0]): Promise<SnapshotPage> {
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
      throw new FlowgateApiError({
        status: 400,
        code: 'invalid-request',
        error: 'cursor is none of these snapshots: give `next` of the page before, or leave it out',
      });
    }
    const page = {
      beforeSeq: cursor === undefined ? undefined : Number(cursor),
      limit: Math.min(limit ?? PAGE_LIMIT, PAGE_LIMIT),
    };
    const { snapshots, next } = await this.#access.ask('finding', ({ runs }) =>
      runs.newestSnapshots({ ...run, ...page }),
    );
    return { snapshots, next: next === null ? null : String(next) };
  }

  one(request: Parameters<SnapshotBackend['one']>[0]): Promise<Snapshot> {
    return this.#access.ask('finding', ({ runs }) => runs.snapshot(request));
  }
}
