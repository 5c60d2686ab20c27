import type {
  AccessMethod,
  AccessPeers,
  AccessStore,
  PutKeyResult,
  StoredKey,
} from '../../engine/ports/access/access-store.js';
import { AccessWatchers } from '../../engine/ports/access/access-watchers.js';
import { readAccessCounter } from './access/access-changes.js';
import { markUsed, revokeKey, rotateKey } from './access/change-keys.js';
import { findKey, hasLiveManager, listKeys } from './access/keys.js';
import { readOwnerRevokedAt, revokeOwner } from './access/owner-revocations.js';
import { putKey } from './access/put-key.js';
import type { Database, Query } from './database/database.js';

type Request<Method extends AccessMethod> = Parameters<AccessStore[Method]>[0];

/** How replicas notify one another that keys or revocations changed. What is lost is found by the counter. */
export interface AccessNotifications {
  /** To all replicas; never throws. */
  send(): void;
  /** `heard` is called for what a replica sent, this one included. */
  onHeard(heard: () => void): void;
  /** See `AccessPeers.tell`; to all replicas. */
  sendFile(fileHash: string): void;
  /** `heard` is called for what another replica sent. */
  onFile(heard: (replica: string, fileHash: string) => void): void;
}

/** The ways to the database that a store has while it is open; each rejects with a `StoreError` in any case. */
export interface AccessDatabase {
  /** For what every request may wait for: on connections that no list and no purge can take. */
  readByKey<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
  read<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
  write<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
}

/** Keys and revocations of all replicas that share the database. */
export class PostgresAccess implements AccessStore {
  readonly peers: AccessPeers = {
    tell: (fileHash) => this.notifications?.sendFile(fileHash),
    hear: (heard) => {
      const own = Symbol('hearer');
      this.hearers.set(own, heard);
      return () => void this.hearers.delete(own);
    },
  };
  private readonly hearers = new Map<symbol, Parameters<AccessPeers['hear']>[0]>();
  private readonly watchers = new AccessWatchers();

  constructor(
    private readonly database: AccessDatabase,
    /** Null: other replicas look by themselves. */
    private readonly notifications: AccessNotifications | null,
  ) {
    notifications?.onHeard(() => this.watchers.notify());
    notifications?.onFile((replica, hash) => {
      for (const heard of this.hearers.values()) heard(replica, hash);
    });
  }

  async putKey(request: Request<'putKey'>): Promise<PutKeyResult> {
    const result = await this.database.write((database) => putKey(database, request));
    if (result === 'kept') this.moved();
    return result;
  }

  async findKey(request: Request<'findKey'>): Promise<StoredKey | null> {
    return this.database.readByKey((query) => findKey(query, request));
  }

  async listKeys(request: Request<'listKeys'>): Promise<readonly StoredKey[]> {
    return this.database.read((query) => listKeys(query, request));
  }

  async rotateKey(request: Request<'rotateKey'>): Promise<boolean> {
    const isRotated = await this.database.write((database) => rotateKey(database, request));
    if (isRotated) this.moved();
    return isRotated;
  }

  async revokeKey(request: Request<'revokeKey'>): Promise<boolean> {
    const isRevoked = await this.database.write((database) => revokeKey(database, request));
    if (isRevoked) this.moved();
    return isRevoked;
  }

  async markUsed(request: Request<'markUsed'>): Promise<void> {
    await this.database.write((database) => markUsed(database, request));
  }

  async hasLiveManager(request: Request<'hasLiveManager'>): Promise<boolean> {
    return this.database.read((query) => hasLiveManager(query, request));
  }

  async revokeOwner(request: Request<'revokeOwner'>): Promise<void> {
    await this.database.write((database) => revokeOwner(database, request));
    this.moved();
  }

  async ownerRevokedAt(request: Request<'ownerRevokedAt'>): Promise<number | null> {
    return this.database.readByKey((query) => readOwnerRevokedAt(query, request));
  }

  async accessCounter(): Promise<number> {
    return this.database.readByKey(readAccessCounter);
  }

  watchAccess(moved: () => void): () => void {
    return this.watchers.add(moved);
  }

  private moved(): void {
    this.watchers.notify();
    this.notifications?.send();
  }
}
