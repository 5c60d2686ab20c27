import { paletteEntries } from './palette-entries.js';

const SCREENS = [
  { title: 'Runs', screen: 'runs' },
  { title: 'Memory', screen: 'memory' },
];
const found = (typed: string) =>
  paletteEntries(typed, { screens: SCREENS, workflows: ['refund', 'a/b %'] }).map(({ kind, query }) => [
    kind,
    query,
  ]);

describe('the one box', () => {
  it('lists the screens before anything is typed', () => {
    expect(found('')).toEqual([
      ['Screen', {}],
      ['Screen', {}],
    ]);
  });

  it('finds workflows by a part of their id', () => {
    expect(found('FUN')).toContainEqual(['Workflow', { workflow: 'refund' }]);
    expect(found('b %')).toContainEqual(['Workflow', { workflow: 'a/b %' }]);
  });

  it('finds runs by the beginning of their id, and by a label', () => {
    expect(found('0199a')).toContainEqual(['Runs', { id: '0199a' }]);
    expect(found('refund')).not.toContainEqual(['Runs', { id: 'refund' }]);
    expect(found('team:billing & co')[0]).toEqual(['Label', { labels: 'team:billing & co' }]);
  });

  it('searches the memory for words, once they are long enough', () => {
    expect(found('late invoice')).toContainEqual(['Memory', { q: 'late invoice' }]);
    expect(found('la')).toEqual([]);
  });
});
