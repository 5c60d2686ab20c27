import { StoreError } from '../../../../errors/service-errors.js';
import type { SessionRow } from '../session.js';

/** What one beat found. */
export interface Beat {
  /** Beats of a session count from 1. */
  readonly number: number;
  /** Replicas that are there; this one counts as long as it takes part. */
  readonly replicas: number;
  /** Those of them that may take what this one may: of this build's log revision, or of a newer one. */
  readonly peers: number;
  /** The keys of the locks that this session holds. */
  readonly own: ReadonlySet<number>;
  /** Those that others hold. */
  readonly others: ReadonlySet<number>;
  /** Shards that a newer build noted. */
  readonly barred: ReadonlySet<number>;
  /** The database's clock, epoch ms. */
  readonly databaseMs: number;
  readonly roundTripMs: number;
}

export function beatOf(row: SessionRow | undefined, sent: Pick<Beat, 'number' | 'roundTripMs'>): Beat {
  if (row === undefined) throw new StoreError('The database answered a beat with nothing: see its log');
  return {
    ...sent,
    replicas: Number(row['replicas']),
    peers: Number(row['peers']),
    own: numbersIn(row['own']),
    others: numbersIn(row['others']),
    barred: numbersIn(row['barred']),
    databaseMs: Number(row['database_ms']),
  };
}

function numbersIn(text: unknown): ReadonlySet<number> {
  return new Set(typeof text === 'string' && text !== '' ? text.split(',').map(Number) : []);
}
