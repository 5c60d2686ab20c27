import type { PutKeyResult } from '../../../engine/ports/access/access-store.js';
import { numberOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';
import { faultOf, isFaultOfOperation, isFullDisk, type SqliteFault } from '../connection/sqlite-fault.js';
import { lastPositionEver } from '../folder/last-position.js';
import { markUsed, revokeKey, rotateKey } from '../operations/access/change-keys.js';
import { revokeOwner } from '../operations/access/owner-revocations.js';
import { putKey } from '../operations/access/put-key.js';
import { appendRun } from '../operations/append/append-run.js';
import { recordActs, removeActs } from '../operations/audit/record-acts.js';
import { writeCursor } from '../operations/log/cursors.js';
import { saveDefinition } from '../operations/definitions/definitions.js';
import { dropFamilyLog } from '../operations/log/family-log.js';
import { indexRun } from '../operations/append/open-gates.js';
import { dropTombstones, purgeEnded } from '../operations/log/purge-ended.js';
import { register, unregister } from '../operations/definitions/registrations.js';
import { removeDefinitions } from '../operations/definitions/unused-definitions.js';
import { CheckpointThrottle } from './checkpoint-throttle.js';
import {
  APPEND,
  DROP_FAMILY_LOG,
  DROP_TOMBSTONES,
  INDEX_RUN,
  KEEP_DEFINITION,
  MARK_KEYS_USED,
  OperationReader,
  PROBE,
  PURGE_ENDED,
  PUT_KEY,
  RECORD_ACTS,
  RECORD_ACTS_UNLESS_LAST,
  REGISTER,
  REMOVE_ACTS,
  REMOVE_DEFINITIONS,
  REVOKE_KEY,
  REVOKE_OWNER,
  ROTATE_KEY,
  UNREGISTER,
  SAVE_DEFINITION,
  WRITE_CURSOR,
  type FlatValue,
} from '../operations/operation.js';

/**
 * Of an append: a number is its position; `null`: it is in conflict; `stale`: as in the port. Of keys: a number is how many changed.
 * A fault: this operation failed, the others did not.
 */
export type WriterResult = true | number | null | 'stale' | PutKeyResult | readonly string[] | SqliteFault;

/** Operations that were handed over together, and their results. */
type Group = readonly FlatValue[];
type WriterResults = readonly WriterResult[];

/**
 * Commits groups of operations: those that wait at the same time in one transaction, with one fsync.
 *
 * 1. An operation that is refused or fails leaves nothing behind and does not fail the others. Hardly one ever fails, so
 *    only groups in which one did pay for savepoints: they are written a second time.
 * 2. When `write` throws, nothing of the groups may be taken as written. The connection is given up; the next group
 *    opens another.
 * 3. After any failure but a full disk, all of the log is first brought into the database file: what an fsync once
 *    failed to write is then written again or reported again, never taken for durable.
 */
export class GroupWriter {
  private connection: Connection | null = null;
  private isLogInDoubt = false;
  private readonly checkpointThrottle = new CheckpointThrottle();

  /** `connect` opens the database for writing; it is called again after each failure. */
  constructor(private readonly connect: () => Connection) {}

  /** Returns the results of each of the groups. */
  write(groups: readonly Group[]): readonly WriterResults[] {
    try {
      const connection = this.open();
      const results = writeTogether(connection, groups);
      this.isLogInDoubt = false;
      for (const group of groups) this.checkpointThrottle.wrote(group);
      return results;
    } catch (error) {
      this.isLogInDoubt ||= !isFullDisk(faultOf(error));
      this.giveUp();
      throw error;
    }
  }

  /** Moves the log into the database file when it has grown; call it after the results were sent. */
  checkpointIfDue(): void {
    if (this.connection === null || !this.checkpointThrottle.isDue()) return;
    try {
      this.connection.statement('PRAGMA wal_checkpoint(PASSIVE)').get();
    } catch {
      // Nothing is lost: the log keeps what it has, and the next commit meets and reports the cause.
    }
  }

  /** The last position of the log that is committed; null while there is no connection. */
  lastPosition(): number | null {
    return this.connection === null ? null : lastPositionEver(this.connection);
  }

  close(): void {
    this.connection?.close();
    this.connection = null;
  }

  private open(): Connection {
    if (this.connection !== null) return this.connection;
    const connection = this.connect();
    try {
      if (this.isLogInDoubt) checkpointFully(connection);
    } catch (error) {
      connection.close();
      throw error;
    }
    this.connection = connection;
    return connection;
  }

  private giveUp(): void {
    try {
      this.close();
    } catch {
      this.connection = null;
    }
  }
}

function checkpointFully(connection: Connection): void {
  const outcome = connection.statement('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
  if (numberOf(outcome, 'busy') !== 0) throw new Error('the log could not be brought in: a reader held it');
}

type Perform = (connection: Connection, operations: OperationReader) => WriterResult;

function writeTogether(connection: Connection, groups: readonly Group[]): readonly WriterResults[] {
  let isOperationAtFault = false;
  const performWatched: Perform = (_, operations) => {
    try {
      return perform(connection, operations);
    } catch (error) {
      isOperationAtFault = isFaultOfOperation(faultOf(error));
      throw error;
    }
  };
  const writeAll = (performNext: Perform): readonly WriterResults[] =>
    connection.transaction(() => groups.map((group) => writeGroup(connection, group, performNext)));
  try {
    return writeAll(performWatched);
  } catch (error) {
    if (!isOperationAtFault) throw error;
    return writeAll(performAlone);
  }
}

function writeGroup(connection: Connection, group: Group, performNext: Perform): WriterResults {
  const operations = new OperationReader(group);
  const results: WriterResult[] = [];
  while (!operations.isAtEnd) {
    const end = operations.endOfOperation();
    results.push(performNext(connection, operations));
    operations.goTo(end);
  }
  return results;
}

/** As `perform`, but a fault of the operation is its result, and the others of the group can continue. */
function performAlone(connection: Connection, operations: OperationReader): WriterResult {
  connection.statement('SAVEPOINT operation').run();
  let result: WriterResult;
  try {
    result = perform(connection, operations);
  } catch (error) {
    const fault = faultOf(error);
    if (!isFaultOfOperation(fault)) throw error;
    connection.statement('ROLLBACK TO operation').run();
    result = fault;
  }
  connection.statement('RELEASE operation').run();
  return result;
}

function perform(connection: Connection, operation: OperationReader): WriterResult {
  const kind = operation.number();
  switch (kind) {
    case APPEND:
      return appendRun(connection, operation);
    case SAVE_DEFINITION:
      saveDefinition(connection, operation);
      return true;
    case KEEP_DEFINITION:
      saveDefinition(connection, operation, true);
      return true;
    case WRITE_CURSOR:
      writeCursor(connection, operation);
      return true;
    case PURGE_ENDED:
      return purgeEnded(connection, operation);
    case REGISTER:
      register(connection, operation);
      return true;
    case UNREGISTER:
      return unregister(connection, operation);
    case DROP_TOMBSTONES:
      dropTombstones(connection, operation);
      return true;
    case DROP_FAMILY_LOG:
      dropFamilyLog(connection, operation);
      return true;
    case INDEX_RUN:
      indexRun(connection, operation);
      return true;
    case REMOVE_DEFINITIONS:
      return removeDefinitions(connection, operation);
    case PUT_KEY:
      return putKey(connection, operation);
    case ROTATE_KEY:
      return rotateKey(connection, operation);
    case REVOKE_KEY:
      return revokeKey(connection, operation);
    case MARK_KEYS_USED:
      markUsed(connection, operation);
      return true;
    case REVOKE_OWNER:
      revokeOwner(connection, operation);
      return true;
    case RECORD_ACTS:
    case RECORD_ACTS_UNLESS_LAST:
      recordActs(connection, operation, kind === RECORD_ACTS_UNLESS_LAST);
      return true;
    case REMOVE_ACTS:
      return removeActs(connection, operation);
    case PROBE:
      probe(connection);
      return true;
    default:
      throw new TypeError(`there is no operation ${kind}`);
  }
}

/** Rewrites the header's page unchanged. */
function probe(connection: Connection): void {
  const version = numberOf(connection.statement('PRAGMA user_version').get() ?? {}, 'user_version');
  connection.execute(`PRAGMA user_version = ${version}`);
}
