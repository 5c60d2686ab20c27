import type { PoolClient } from 'pg';
import { StoreError } from '../../../errors/service-errors.js';
import type { Query } from '../database/database.js';
import { perform, performScript } from './pg-client.js';
import { faultOf, storeErrorOf } from '../database/postgres-fault.js';
import type { Script } from '../database/schema-database.js';
import { Sequence } from './sequence.js';
import type { StatementTexts } from './statement-texts.js';

/** A script may build an index. */
const SCRIPT_TIMEOUT_MS = 3_600_000;
const CONTROL_TIMEOUT_MS = 5_000;

/**
 * One transaction on one connection.
 *
 * 1. Statements go one after another, in the order in which they were asked for.
 * 2. A connection of which nobody knows in the middle of what it is (`isBroken`) is not used again.
 * 3. Once the transaction is over, its `query` performs nothing: the connection is another's by then.
 */
export class PgTransaction {
  /** The connection is of no further use. */
  isBroken = false;

  private readonly statements = new Sequence();
  private isOver = false;

  constructor(
    private readonly client: PoolClient,
    private readonly texts: StatementTexts,
  ) {}

  readonly query: Query = (sql, values, withinMs) =>
    this.run(() => perform(this.client, this.texts.statement(sql), values, withinMs));

  readonly script: Script = (sql) =>
    this.run(() => performScript(this.client, this.texts.script(sql), SCRIPT_TIMEOUT_MS));

  begin(sql: string): Promise<void> {
    return this.run(() => performScript(this.client, sql, CONTROL_TIMEOUT_MS));
  }

  /** Rejects when nothing was committed, and when nobody knows: the connection broke meanwhile. */
  async commit(): Promise<void> {
    const { command } = await this.run(() => this.client.query('COMMIT'));
    this.isOver = true;
    // PostgreSQL answers so, and reports no fault, where a statement had failed before.
    if (command === 'ROLLBACK') {
      throw new StoreError(
        'The transaction was rolled back, since one of its statements had failed: try again',
      );
    }
  }

  /** Never rejects. */
  async rollBack(): Promise<void> {
    await this.statements.done();
    if (!this.isOver && !this.isBroken) {
      try {
        await performScript(this.client, 'ROLLBACK', CONTROL_TIMEOUT_MS);
      } catch {
        // The fault that led here is the one to report.
        this.isBroken = true;
      }
    }
    this.isOver = true;
  }

  private run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.statements.run(async () => {
      if (this.isOver)
        throw new StoreError('The transaction is over: this is a defect of the service, report it');
      try {
        return await work();
      } catch (error) {
        const fault = faultOf(error);
        if (fault.endsConnection) this.isBroken = true;
        throw storeErrorOf(fault);
      }
    });
  }
}
