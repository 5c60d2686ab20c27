import type { Database, Query } from './database.js';
import { hasNoAnswer } from './postgres-fault.js';

/** Whether the database did what it was asked the last time. */
export class Answers {
  private missing = false;

  /** It could not, for a reason that would keep it from other work, too; and has not done anything since. */
  get areMissing(): boolean {
    return this.missing;
  }

  async of<Result>(asked: Promise<Result>): Promise<Result> {
    try {
      const answer = await asked;
      this.missing = false;
      return answer;
    } catch (error) {
      if (hasNoAnswer(error)) this.missing = true;
      throw error;
    }
  }
}

/** Notes of everything that is asked of the database whether it was answered. */
export class AnsweringDatabase implements Database {
  constructor(
    private readonly database: Database,
    private readonly answers: Answers,
  ) {}

  readonly query: Query = (sql, values, withinMs) =>
    this.answers.of(this.database.query(sql, values, withinMs));

  transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.answers.of(this.database.transaction(work));
  }

  snapshot<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.answers.of(this.database.snapshot(work));
  }

  get base(): number {
    return this.database.base;
  }
}
