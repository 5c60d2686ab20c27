/**
 * Each connection of the server keeps the plans of its named statements: some 10 to 100 KB for one that touches many
 * partitions.
 */
const MAX_NAMES = 256;
/** The lists make texts by their filters. */
const MAX_TEXTS = 1_024;
/** What was asked for once may never be asked for again. */
const NAMED_FROM_USE = 3;

/** A statement as `pg` takes it. Without a name the server forgets it at once. */
export interface StatementText {
  readonly text: string;
  readonly name: string | undefined;
}

interface KnownText {
  readonly text: string;
  name: string | undefined;
  uses: number;
}

/**
 * The texts of statements for one schema: `@.` is replaced once for each, and those that are used again and again get a name, under
 * which the server parses and plans them once for each connection.
 *
 * 1. A name stands for one text as long as this object lives: a connection that knows it is never given another.
 * 2. Neither texts nor names grow without bound. A text that was dropped is replaced anew when it comes again; one with a name
 *    stays.
 */
export class StatementTexts {
  private readonly known = new Map<string, KnownText>();
  private names = 0;

  constructor(
    private readonly schema: string,
    /** False where a pooler gives each statement to another session, which has never heard of the name. */
    private readonly usesNames: boolean,
  ) {}

  statement(sql: string): StatementText {
    const known = this.known.get(sql) ?? this.add(sql);
    known.uses += 1;
    if (this.usesNames && known.uses === NAMED_FROM_USE && this.names < MAX_NAMES) {
      this.names += 1;
      known.name = `flowgate_${this.names}`;
    }
    return known;
  }

  /** Statements that are performed once, separated by semicolons: nothing of them is kept. */
  script(sql: string): string {
    return sql.replaceAll('@.', () => `${this.schema}.`);
  }

  private add(sql: string): KnownText {
    if (this.known.size >= MAX_TEXTS) this.dropOldestWithoutName();
    const text: KnownText = { text: this.script(sql), name: undefined, uses: 0 };
    this.known.set(sql, text);
    return text;
  }

  private dropOldestWithoutName(): void {
    for (const [sql, { name }] of this.known) {
      if (name !== undefined) continue;
      this.known.delete(sql);
      return;
    }
  }
}
