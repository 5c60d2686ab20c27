import { readConfig } from '../../src/config/service/read-config.js';
import type { Setting } from '../../src/config/service/setting.js';
import { SETTINGS } from '../../src/config/service/settings.js';
import { readPage } from './support/page-blocks.js';
import { codeIn, tablesNamed } from './support/page-tables.js';

const UNITS: Readonly<Record<string, number>> = {
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  s: 1_000,
  hours: 3_600_000,
  days: 86_400_000,
};

const settings = Object.values<Setting<unknown>>(SETTINGS);
const rows = tablesNamed(readPage('docs/operate.md'), 'variable').flatMap((table) => table.rows);
const rowOf = (variable: string) => {
  const row = rows.find(({ cells }) => cells[0] === `\`${variable}\``);
  if (row === undefined) throw new Error(`docs/operate.md has no row of ${variable}.`);
  const [, fallback = '', allowed = '', meaning = ''] = row.cells;
  return { fallback, allowed, meaning };
};

function faultOf(variable: string, value: string): string {
  try {
    readConfig({ [variable]: value });
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('the settings of docs/operate.md', () => {
  it('are all there are, each once, and no other', () => {
    const named = rows.map(({ cells }) => cells[0]?.replaceAll('`', ''));
    expect(named.toSorted()).toEqual(settings.map(({ variable }) => variable).toSorted());
  });

  it.each(settings)('say of $variable what it is without being set', ({ variable, fallback }) => {
    const { fallback: documented } = rowOf(variable);
    expect(codeIn(documented).join()).toBe(fallback === null ? '' : String(fallback));
    const [, count, unit = ''] = /\((\d+) (\w+)\)$/.exec(documented) ?? [];
    if (count !== undefined) expect(Number(count) * (UNITS[unit] ?? NaN)).toBe(fallback);
  });

  it.each(settings)(
    'say of $variable what is allowed, in the words of the service',
    ({ variable, allowed }) => {
      const { allowed: documented } = rowOf(variable);
      expect(documented).toBe(allowed.replace('a whole number from ', ''));
    },
  );

  it.each(settings.filter(({ allowed }) => allowed.startsWith('a whole number')))(
    'give a range of $variable whose ends are taken and which is refused beyond',
    ({ variable }) => {
      const [, least, most] = /^(\d+) to (\d+)$/.exec(rowOf(variable).allowed) ?? [];
      expect([faultOf(variable, least ?? ''), faultOf(variable, most ?? '')]).toEqual(['', '']);
      const beyond = String(Number(most) + 1);
      expect(faultOf(variable, beyond)).toBe(
        `${variable} is "${beyond}": it must be a whole number from ${least} to ${most}.`,
      );
    },
  );

  it('each mean something', () => {
    expect(settings.filter(({ variable }) => rowOf(variable).meaning === '')).toEqual([]);
  });
});
