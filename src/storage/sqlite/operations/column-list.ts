import type { FlatValue, OperationReader } from './operation.js';

/** What a column may hold. */
type Kind = 'text' | 'number' | 'text or null' | 'number or null';

interface ValueOfKind {
  readonly text: string;
  readonly number: number;
  readonly 'text or null': string | null;
  readonly 'number or null': number | null;
}

type Kinds = Readonly<Record<string, Kind>>;

type Fields<List extends Kinds> = { readonly [Name in keyof List]: ValueOfKind[List[Name]] };

/** The values of a row, in the order of its list, as they cross to the writer and as a statement takes them. */
type Row<List extends Kinds> = readonly FlatValue[] & { readonly list?: List };

/** The rows of a list. */
export type RowOf<List> = List extends ColumnList<infer Of> ? Row<Of> : never;

/**
 * Columns that are written together. The one list gives the order of the values in an operation, of those that a statement
 * takes, and of the names in SQL; on both sides a field is made and read by its name. The values stay in one flat list,
 * because an object for each row would cost more than it takes to write the row.
 */
export class ColumnList<const List extends Kinds> {
  /** `a, b` */
  readonly names: string;
  /** `?, ?` */
  readonly marks: string;
  /** `a = ?, b = ?` */
  readonly assignments: string;

  private readonly columns: readonly string[];
  private readonly kinds: readonly Kind[];
  private readonly indexes: Readonly<Record<keyof List, number>>;

  constructor(kinds: List) {
    const names = Object.keys(kinds);
    this.columns = names;
    this.kinds = Object.values(kinds);
    this.names = names.join(', ');
    this.marks = names.map(() => '?').join(', ');
    this.assignments = names.map((name) => `${name} = ?`).join(', ');
    this.indexes = Object.fromEntries(names.map((name, index) => [name, index])) as Record<
      keyof List,
      number
    >;
  }

  row(fields: Fields<List>): Row<List> {
    const values = fields as Readonly<Record<string, FlatValue>>;
    return this.columns.map((name) => values[name] as FlatValue);
  }

  field<Name extends keyof List>(row: Row<List>, name: Name): ValueOfKind[List[Name]] {
    return row[this.indexes[name]] as ValueOfKind[List[Name]];
  }

  /** Throws a `TypeError` that names the column which holds something else. */
  read(operation: OperationReader): Row<List> {
    const row = operation.take(this.columns.length);
    const unlike = this.kinds.findIndex((kind, index) => !isOfKind(row[index], kind));
    if (unlike !== -1) throw new TypeError(`${this.columns[unlike]} holds no ${this.kinds[unlike]}`);
    return row;
  }

  /** Rows after their number. */
  addAll(operation: FlatValue[], rows: readonly Row<List>[]): void {
    operation.push(rows.length);
    for (const row of rows) operation.push(...row);
  }

  /** As `addAll` has added them. */
  readAll(operation: OperationReader): readonly Row<List>[] {
    return Array.from({ length: operation.number() }, () => this.read(operation));
  }
}

function isOfKind(value: FlatValue | undefined, kind: Kind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'text or null':
      return value === null || typeof value === 'string';
    case 'number or null':
      return value === null || typeof value === 'number';
  }
}
