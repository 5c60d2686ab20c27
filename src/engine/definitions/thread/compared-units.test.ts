import { comparedUnits, unitContents } from './compared-units.js';

const documentOf = (units: string) => `
apiVersion: flowgate/v1
kind: Workflow
metadata: { id: w }
spec:
  flow: { type: sequential }
  units:${units}`;

const compare = (from: string, to: string) =>
  comparedUnits(unitContents(documentOf(from)), unitContents(documentOf(to)));

it('tells which units are new, which are gone, and which say something else', () => {
  expect(
    compare(
      `
    - { id: gone, uses: work }
    - { id: kept, uses: work, with: { a: 1, b: [1, 2] } }
    - { id: other, uses: work, with: { a: 1 } }`,
      `
    - { id: other, uses: work, with: { a: 2 } }
    - { id: fresh, uses: work }
    # Another order of keys, and a comment, are no change.
    - { uses: work, with: { b: [1, 2], a: 1 }, id: kept }`,
    ),
  ).toEqual({ added: ['fresh'], removed: ['gone'], changed: ['other'] });
});

it('compares what aliases stand for', () => {
  const one = `
    - { id: a, uses: work, with: &shared { n: 1 } }
    - { id: b, uses: work, with: *shared }`;
  const two = `
    - { id: a, uses: work, with: { n: 1 } }
    - { id: b, uses: work, with: { n: 2 } }`;
  expect(compare(one, two)).toEqual({ added: [], removed: [], changed: ['b'] });
});

it('takes ids that are written in two ways for one', () => {
  const [composed, decomposed] = ['caf\u00E9', 'cafe\u0301'];
  const units = (id: string) => `\n    - { id: ${id}, uses: work }`;
  expect(compare(units(composed), units(decomposed))).toEqual({ added: [], removed: [], changed: [] });
});

it('is not misled by ids that objects have', () => {
  const units = (id: string) => `\n    - { id: ${id}, uses: work }`;
  expect(compare(units('constructor'), units('toString'))).toEqual({
    added: ['toString'],
    removed: ['constructor'],
    changed: [],
  });
});
