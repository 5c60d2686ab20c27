import { numberOf, numberOrNull, textOrNull } from '../database/columns.js';
import type { Database } from '../database/database.js';
import { isStored } from '../database/look-up.js';
import { visibleBelow } from './positions.js';

/** Rows that are looked at first: nearly always the newest one is of a stored run. */
const FEW = 16;
/** Rows that are looked at by one statement where those are all of purged runs: some 20 ms. */
const MANY = 20_000;
/** Above every position. */
const END = Number.MAX_SAFE_INTEGER;

/**
 * The newest rows between two positions, from their end: the newest one of a stored run, and how far they reach. `$1` the base,
 * `$2` and `$3` the positions, neither included, `$4` how many rows, `$5` a run.
 */
const LOOK = `
  WITH part AS MATERIALIZED (
    SELECT l.position, l.run_id FROM @.log AS l
    WHERE l.position > $2::bigint AND l.position < least(${visibleBelow('$1')}, $3::bigint)
    ORDER BY l.position DESC LIMIT $4::bigint
  ), newest AS MATERIALIZED (
    SELECT part.position, part.run_id FROM part
    WHERE ${isStored('part.run_id')}
    ORDER BY part.position DESC LIMIT 1
  )
  SELECT newest.position, newest.run_id, counted.rows, counted.lowest, counted.highest,
    (SELECT max(t.position) FROM @.tombstones AS t WHERE t.position < ${visibleBelow('$1')}) AS tombstone,
    ${isStored('$5::uuid')} AS is_stored
  FROM (
    SELECT count(*) AS rows, min(part.position) AS lowest, max(part.position) AS highest FROM part
  ) AS counted LEFT JOIN newest ON true`;

/** What is known of the end of the log, and stays true: a run that was purged comes back with new positions only. */
interface KnownEnd {
  /** Of the newest entry of a stored run; that run may be purged by now. 0 and null: there was none. */
  readonly position: number;
  readonly runId: string | null;
  /** From there up to this position there are nobody's rows only. */
  readonly nobodyUpTo: number;
}

/**
 * The position of the newest entry. The rows of purged runs stay until their week goes: after a quiet month all that is left at the
 * end may be nobody's. So what was looked at once is remembered, and not looked at again.
 */
export class LastPosition {
  private known: KnownEnd = { position: 0, runId: null, nobodyUpTo: 0 };

  constructor(private readonly database: Pick<Database, 'query' | 'base'>) {}

  async read(): Promise<number> {
    const { known } = this;
    let look = await this.look(known.nobodyUpTo, END, FEW, known.runId);
    const { tombstone, isKnownStored } = look;
    const nobodyUpTo = look.highest ?? known.nobodyUpTo;
    for (let rows = FEW; look.newest === null && look.rows === rows; rows = MANY) {
      look = await this.look(known.nobodyUpTo, look.lowest ?? 0, MANY, null);
    }
    if (look.newest === null && !isKnownStored && known.position > 0) {
      for (let below = known.position, rows = MANY; look.newest === null && rows === MANY;) {
        look = await this.look(0, below, MANY, null);
        below = look.lowest ?? 0;
        rows = look.rows;
      }
      this.known = { ...(look.newest ?? { position: 0, runId: null }), nobodyUpTo };
    } else this.known = { ...(look.newest ?? known), nobodyUpTo };
    return Math.max(this.known.position, tombstone);
  }

  private async look(above: number, below: number, most: number, runId: string | null) {
    const { query, base } = this.database;
    const [columns = {}] = await query(LOOK, [base, above, below, most, runId]);
    const position = numberOrNull(columns, 'position');
    return {
      newest: position === null ? null : { position, runId: textOrNull(columns, 'run_id') },
      rows: numberOf(columns, 'rows'),
      lowest: numberOrNull(columns, 'lowest'),
      highest: numberOrNull(columns, 'highest'),
      /** 0: there is none. */
      tombstone: numberOrNull(columns, 'tombstone') ?? 0,
      isKnownStored: columns['is_stored'] === true,
    };
  }
}
