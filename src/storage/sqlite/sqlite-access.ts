import type {
  AccessMethod,
  AccessStore,
  PutKeyResult,
  StoredKey,
} from '../../engine/ports/access/access-store.js';
import { AccessWatchers } from '../../engine/ports/access/access-watchers.js';
import type { OpenStore } from './open-store.js';
import { readAccessCounter } from './operations/access/access-counter.js';
import {
  markUsedOperation,
  revokeKeyOperation,
  rotateKeyOperation,
} from './operations/access/change-keys.js';
import { findKey } from './operations/access/keys.js';
import { readOwnerRevokedAt, revokeOwnerOperation } from './operations/access/owner-revocations.js';
import { putKeyOperation } from './operations/access/put-key.js';
import type { Operation } from './operations/operation.js';
import type { OperationResult } from './writer/group-commit.js';

type Request<Method extends AccessMethod> = Parameters<AccessStore[Method]>[0];

/**
 * Keys and revocations in the database of the runs: what changes them is committed with the appends that wait at the same time, each
 * by itself. No other process has the folder, so every change is one of this store.
 */
export class SqliteAccess implements AccessStore {
  private readonly watchers = new AccessWatchers();

  /** `store` throws a `StoreError` while the store is not open. */
  constructor(private readonly store: () => OpenStore) {}

  async putKey(request: Request<'putKey'>): Promise<PutKeyResult> {
    const result = await this.submit(putKeyOperation(request));
    if (result !== 'kept') return result === 'owner-full' || result === 'full' ? result : 'maker-ended';
    this.watchers.notify();
    return result;
  }

  async findKey({ id }: Request<'findKey'>): Promise<StoredKey | null> {
    return this.store().read((points) => findKey(points, id));
  }

  async listKeys(request: Request<'listKeys'>): Promise<readonly StoredKey[]> {
    return this.store().scanner.listKeys(request);
  }

  async rotateKey(request: Request<'rotateKey'>): Promise<boolean> {
    return this.change(rotateKeyOperation(request));
  }

  async revokeKey(request: Request<'revokeKey'>): Promise<boolean> {
    return this.change(revokeKeyOperation(request));
  }

  async markUsed(request: Request<'markUsed'>): Promise<void> {
    if (request.ids.length > 0) await this.submit(markUsedOperation(request));
  }

  async hasLiveManager(request: Request<'hasLiveManager'>): Promise<boolean> {
    return this.store().scanner.hasLiveManager(request);
  }

  async revokeOwner(request: Request<'revokeOwner'>): Promise<void> {
    await this.submit(revokeOwnerOperation(request));
    this.watchers.notify();
  }

  async ownerRevokedAt({ owner }: Request<'ownerRevokedAt'>): Promise<number | null> {
    return this.store().read((points) => readOwnerRevokedAt(points, owner));
  }

  async accessCounter(): Promise<number> {
    return this.store().read(readAccessCounter);
  }

  watchAccess(moved: () => void): () => void {
    return this.watchers.add(moved);
  }

  /** Whether there was something to change. */
  private async change(operation: Operation): Promise<boolean> {
    const hasChanged = Number(await this.submit(operation)) > 0;
    if (hasChanged) this.watchers.notify();
    return hasChanged;
  }

  private submit(operation: Operation): Promise<OperationResult> {
    return this.store().commits.submit(operation);
  }
}
