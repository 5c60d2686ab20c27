import { StatementTexts } from './statement-texts.js';

const SQL = 'SELECT 1 FROM @.runs JOIN @.log USING (run_id)';
const TEXT = 'SELECT 1 FROM "flowgate".runs JOIN "flowgate".log USING (run_id)';

const texts = (usesNames = true): StatementTexts => new StatementTexts('"flowgate"', usesNames);

const timesOf = (made: StatementTexts, sql: string, times: number) =>
  Array.from({ length: times }, () => made.statement(sql).name);

describe('the texts of statements', () => {
  it('have the schema in place of its sign', () => {
    expect(texts().statement(SQL).text).toBe(TEXT);
    expect(texts().script(`${SQL}; ${SQL}`)).toBe(`${TEXT}; ${TEXT}`);
  });

  it('get a name when they come for the third time, each another one, for ever', () => {
    const made = texts();
    expect(timesOf(made, SQL, 4)).toEqual([undefined, undefined, 'flowgate_1', 'flowgate_1']);
    expect(timesOf(made, 'SELECT 2', 3)).toEqual([undefined, undefined, 'flowgate_2']);
    expect(made.statement(SQL).name).toBe('flowgate_1');
  });

  it('have no name behind a pooler', () => {
    expect(timesOf(texts(false), SQL, 5)).toEqual(Array(5).fill(undefined));
  });

  it('have no more than 256 names, and stay usable without', () => {
    const made = texts();
    for (let index = 0; index < 300; index++) timesOf(made, `SELECT ${index}`, 3);
    expect(made.statement('SELECT 255').name).toBe('flowgate_256');
    expect(made.statement('SELECT 256')).toMatchObject({ text: 'SELECT 256', name: undefined });
  });

  it('keep their names however many others come', () => {
    const made = texts();
    timesOf(made, SQL, 3);
    for (let index = 0; index < 5_000; index++) made.statement(`SELECT ${index}`);
    expect(made.statement(SQL)).toMatchObject({ text: TEXT, name: 'flowgate_1' });
  });
});
