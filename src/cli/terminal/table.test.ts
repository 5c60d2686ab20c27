import { Table } from './table.js';

describe('a table on a terminal', () => {
  it('has columns as wide as what stands in them, also of wide letters', () => {
    const table = new Table(['ID', 'NAME', '']);
    const rows = [
      ['1', '日本', 'first'],
      ['100', 'a', ''],
    ];
    table.fit(rows);
    expect([table.head(), ...rows.map((row) => table.line(row))]).toEqual([
      'ID   NAME',
      '1    日本  first',
      '100  a',
    ]);
  });

  it('shows each row on one line, without what moves cursors, and no more than fits', () => {
    const table = new Table(['A', 'B']);
    const row = ['a\nb\u001b[2J', 'x'.repeat(1_000)];
    table.fit([row]);
    expect(table.line(row)).toBe(`a b\uFFFD[2J  ${'x'.repeat(120)}…`);
  });
});
