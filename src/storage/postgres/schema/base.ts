import { numberOf, textOrNull } from '../database/columns.js';
import type { Query } from '../database/database.js';
import { changeSchema, type Patience, type SchemaDatabase } from '../database/schema-database.js';
import { readServerIdentifier } from '../database/server-identity.js';

/** Positions that one transaction has for what it writes. With 53 bits for a position, 8.8 × 10¹² transactions. */
const POSITIONS_PER_TRANSACTION = 1_024;

/** What is stored, and which transactions a server has seen, at one instant. */
export interface PositionsAndTransactions {
  /** Position of the newest entry that a follower was or is to be given; 0: there is none. */
  readonly highest: number;
  /** No transaction below it is open. */
  readonly oldest: number;
  /** No transaction at or above it was committed. */
  readonly next: number;
}

/**
 * A position is (base + transaction id) × 1,024 + ordinal. Transaction ids grow for as long as a server lives; one that a dump was
 * restored on may be at lower ones than those that the dump has in its positions. Followers would then never come to what is
 * written there: the base rises, so that
 *
 * 1. every position that is made from now on is above every one that is stored;
 * 2. what was restored is read at once, whatever transaction is open on the new server;
 * 3. it stays as it is otherwise, since replicas that are running have read it.
 */
export function baseFor(
  base: number,
  { highest, oldest, next }: PositionsAndTransactions,
  isOtherServer: boolean,
): number {
  const transaction = Math.floor(highest / POSITIONS_PER_TRANSACTION);
  if (transaction < base + (isOtherServer ? oldest : next)) return base;
  return transaction + 1 - oldest;
}

/** One statement, and so one instant: a commit between two would look like one from another server. */
const READ = `
  SELECT
    base,
    system_identifier,
    coalesce(greatest(
      (SELECT max(position) FROM @.log),
      (SELECT max(position) FROM @.tombstones),
      (SELECT max(position) FROM @.family_log),
      (SELECT max(position) FROM @.cursors)
    ), 0) AS highest,
    pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text::bigint AS oldest,
    pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::bigint AS next
  FROM @.store`;

const WRITE = 'UPDATE @.store SET base = $1, system_identifier = $2';

interface Settled {
  readonly base: number;
  readonly identifier: string | null;
  /** What is stored says the same. */
  readonly isStored: boolean;
}

/** What a server that says nothing of itself is called stays what it was called. */
async function read(query: Query, identifier: string | null): Promise<Settled> {
  const [store = {}] = await query(READ);
  const stored = textOrNull(store, 'system_identifier');
  const isOtherServer = stored !== null && identifier !== null && stored !== identifier;
  const positions = {
    highest: numberOf(store, 'highest'),
    oldest: numberOf(store, 'oldest'),
    next: numberOf(store, 'next'),
  };
  const storedBase = numberOf(store, 'base');
  const base = baseFor(storedBase, positions, isOtherServer);
  return {
    base,
    identifier: identifier ?? stored,
    isStored: base === storedBase && (identifier === null || identifier === stored),
  };
}

export interface ServerAndBase {
  readonly base: number;
  /** Null: the server does not say which one it is. */
  readonly serverIdentifier: string | null;
}

/** Reads the base, and raises it first where the store has come to another server. */
export async function settleBase(database: SchemaDatabase, patience: Patience): Promise<ServerAndBase> {
  const serverIdentifier = await readServerIdentifier(database.query);
  const found = await read(database.query, serverIdentifier);
  if (found.isStored) return { base: found.base, serverIdentifier };
  return changeSchema(database, patience, async (query) => {
    const { base, identifier, isStored } = await read(query, serverIdentifier);
    if (!isStored) await query(WRITE, [base, identifier]);
    return { base, serverIdentifier };
  });
}
