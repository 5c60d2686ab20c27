import type { PoolClient } from 'pg';
import { sqlStateOf } from '../database/postgres-fault.js';
import { PgTransaction } from './pg-transaction.js';
import { StatementTexts } from './statement-texts.js';

type Answer = Error | { readonly command?: string; readonly rows?: readonly unknown[] };

/** A connection that says what was performed on it, one statement at a time, and answers as it is told. */
function connection(answers: Readonly<Record<string, Answer>> = {}) {
  const performed: string[] = [];
  let underWay = 0;
  const client = {
    query: async (statement: string | { readonly text: string }) => {
      const text = typeof statement === 'string' ? statement : statement.text;
      expect(underWay).toBe(0);
      underWay += 1;
      await Promise.resolve();
      underWay -= 1;
      performed.push(text);
      const answer = answers[text] ?? { command: text, rows: [] };
      if (answer instanceof Error) throw answer;
      return { rows: [], ...answer };
    },
  };
  const texts = new StatementTexts('"flowgate"', true);
  return { performed, transaction: new PgTransaction(client as unknown as PoolClient, texts) };
}

const failed = (code: string, severity = 'ERROR'): Error =>
  Object.assign(new Error('failed'), { code, severity });
const lost = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

describe('a transaction', () => {
  it('performs its statements one after another, in the schema, whatever waits for what', async () => {
    const { performed, transaction } = connection({ 'SELECT 2': { rows: [{ two: 2 }] } });
    await transaction.begin('BEGIN');
    const script = transaction.script('DROP TABLE @.old; DROP TABLE @.older');
    const [, rows] = await Promise.all([
      transaction.query('SELECT 1 FROM @.runs'),
      transaction.query('SELECT 2'),
    ]);
    await script;
    await transaction.commit();
    expect(rows).toEqual([{ two: 2 }]);
    expect(performed).toEqual([
      'BEGIN',
      'DROP TABLE "flowgate".old; DROP TABLE "flowgate".older',
      'SELECT 1 FROM "flowgate".runs',
      'SELECT 2',
      'COMMIT',
    ]);
    expect(transaction.isBroken).toBe(false);
  });

  it('is rolled back once nothing of it is under way any more', async () => {
    const { performed, transaction } = connection({ 'SELECT 1': failed('23505') });
    const first = transaction.query('SELECT 1').catch((error: unknown) => error);
    const second = transaction.query('SELECT 2');
    await transaction.rollBack();
    expect(performed).toEqual(['SELECT 1', 'SELECT 2', 'ROLLBACK']);
    expect(sqlStateOf(await first)).toBe('23505');
    await second;
    expect(transaction.isBroken).toBe(false);
  });

  it('rejects when PostgreSQL rolled it back although nobody asked for that', async () => {
    const { performed, transaction } = connection({ COMMIT: { command: 'ROLLBACK' } });
    await expect(transaction.commit()).rejects.toThrow('The transaction was rolled back');
    await transaction.rollBack();
    expect([performed, transaction.isBroken]).toEqual([['COMMIT'], false]);
  });

  it.each([
    ['the connection is lost', lost()],
    ['an answer does not come', new Error('Query read timeout')],
    ['the server ends the session', failed('57P01', 'FATAL')],
  ])('leaves its connection to nobody when %s', async (_what, error) => {
    const { performed, transaction } = connection({ COMMIT: error });
    await expect(transaction.commit()).rejects.toMatchObject({ code: 'store', permanent: false });
    await transaction.rollBack();
    expect([performed, transaction.isBroken]).toEqual([['COMMIT'], true]);
  });

  it('leaves its connection to nobody when it cannot be rolled back', async () => {
    const { transaction } = connection({ ROLLBACK: lost() });
    await transaction.rollBack();
    expect(transaction.isBroken).toBe(true);
  });

  it('performs nothing once it is over', async () => {
    const { performed, transaction } = connection();
    await transaction.commit();
    await expect(transaction.query('SELECT 1')).rejects.toThrow('The transaction is over');
    expect(performed).toEqual(['COMMIT']);
  });
});
