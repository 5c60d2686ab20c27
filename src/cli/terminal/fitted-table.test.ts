import { FittedTable, type Column } from './fitted-table.js';
import { widthOf } from './display-width.js';

interface Row {
  readonly name: string;
  readonly about: string;
}
const COLUMNS: readonly Column<Row>[] = [
  { heading: 'ID', cell: () => 'f45e4c41' },
  { heading: 'NAME', cell: ({ name }) => name, givesWay: true },
  { heading: 'EMPTY', cell: () => '' },
  { heading: 'ABOUT', cell: ({ about }) => about, givesWay: true, tone: () => 'bad' },
];
const plain = (_format: string, text: string): string => text;
const linesAt = (width: number, rows: readonly Row[]): string[] => {
  const table = new FittedTable(COLUMNS, rows, { width, paint: plain });
  return [table.head(), ...rows.map((row) => table.line(row))];
};

describe('a table that fits the terminal', () => {
  const long = { name: 'nightly-report', about: 'x'.repeat(200) };

  it.each([80, 120])('keeps each row within %i columns, and truncates what gives way', (width) => {
    const lines = linesAt(width, [long, { name: '日本語'.repeat(20), about: 'waits' }]);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    expect(lines[1]).toMatch(/^f45e4c41 {2}nightly-report +x+…$/);
    expect(lines[2]).toMatch(/… {2,3}waits$/);
  });

  it('leaves out a column that holds nothing, and pads no last cell', () => {
    expect(linesAt(80, [{ name: 'a', about: 'b' }])).toEqual(['ID        NAME  ABOUT', 'f45e4c41  a     b']);
  });

  it('keeps such a column where rows may follow that fill it', () => {
    const table = new FittedTable(COLUMNS, [], { width: 80, paint: plain, keepsEmpty: true });
    expect(table.head()).toBe('ID  NAME  EMPTY  ABOUT');
  });

  it('truncates nothing where the width has no bound', () => {
    expect(linesAt(Infinity, [long])[1]).toBe(`f45e4c41  nightly-report  ${'x'.repeat(200)}`);
  });

  it('keeps a row readable where nothing more can give way', () => {
    expect(linesAt(12, [long])[1]).toBe(`f45e4c41  nightly-r…  ${'x'.repeat(9)}…`);
  });

  it('lets no cell move the cursor, change colours or begin a line', () => {
    const [, line] = linesAt(80, [{ name: 'a\n\u001b[2J\u009b31m', about: '\r\u0007b' }]);
    expect(line).toBe('f45e4c41  a \uFFFD[2J\uFFFD31m  \uFFFD\uFFFDb');
  });

  it('colours a cell without counting the colour as its width', () => {
    const paint = (format: string, text: string): string => `<${format}>${text}</>`;
    const table = new FittedTable(COLUMNS, [{ name: 'a', about: 'b' }], { width: 80, paint });
    expect(table.line({ name: 'a', about: 'b' })).toBe('f45e4c41  a     <red>b</>');
  });
});
