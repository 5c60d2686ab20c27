import type { SqlValue } from '../database/database.js';

/** What an item of an array may be. */
type Item = string | number | boolean | null;

/** A column: its type, and its value of a row. */
type ColumnOf<Row> =
  | readonly [type: string, valueOf: (row: Row) => Item]
  /** JSON, which may be long. */
  | readonly [type: 'json', valueOf: (row: Row) => string];

/**
 * Texts of JSON are given as one text, between which is what no JSON has, a control character: in an array each of their quotes
 * would be escaped, and read again.
 */
const BETWEEN_JSON = '\u001F';
const BETWEEN_JSON_SQL = String.raw`E'\x1F'`;

/**
 * Rows as a statement is given them: an array for each column. The one list says the order of the arrays, and of the names in SQL.
 */
export class RowList<Row> {
  /** How many arrays. */
  readonly width: number;
  private readonly entries: readonly (readonly [name: string, column: ColumnOf<Row>])[];

  constructor(private readonly columns: Readonly<Record<string, ColumnOf<Row>>>) {
    this.entries = Object.entries(columns);
    this.width = this.entries.length;
  }

  /** These columns, and some more after them. */
  with(columns: Readonly<Record<string, ColumnOf<Row>>>): RowList<Row> {
    return new RowList({ ...this.columns, ...columns });
  }

  /**
   * `unnest($3::uuid[], $4::bigint[]) AS name (run_id, last_seq)`, with placeholders from `first` on.
   */
  table(name: string, first: number): string {
    const arrays = this.entries.map(([, [type]], index) =>
      type === 'json'
        ? `string_to_array($${first + index}::text, ${BETWEEN_JSON_SQL})`
        : `$${first + index}::${type}[]`,
    );
    return `unnest(${arrays.join(', ')}) AS ${name} (${this.entries.map(([column]) => column).join(', ')})`;
  }

  values(rows: readonly Row[]): readonly SqlValue[] {
    return this.entries.map(([, [type, valueOf]]) => {
      const items = rows.map(valueOf);
      return type === 'json' ? items.join(BETWEEN_JSON) : items;
    });
  }
}

/** A list of ids alone. */
export function idsAs(column: string): RowList<string> {
  return new RowList<string>({ [column]: ['uuid', (id) => id] });
}
