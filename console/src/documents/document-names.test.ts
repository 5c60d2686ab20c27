import { namesIn, namesOf } from './document-names.js';

describe('the names of a document', () => {
  it('are what it declares', () => {
    expect(
      namesOf({
        metadata: { id: 'w' },
        spec: {
          input: { type: 'object', properties: { amount: {} } },
          vars: { net: 1 },
          units: [
            { id: 'a', uses: 'acme.a' },
            { id: 'b', uses: 'acme.a' },
          ],
        },
      }),
    ).toEqual({ unitIds: ['a', 'b'], uses: ['acme.a'], vars: ['net'], inputKeys: ['amount'] });
  });

  it('are none where it is something else', () => {
    for (const other of [null, [], 'text', { spec: [] }, { spec: { units: { a: 1 }, vars: null } }])
      expect(namesOf(other)).toMatchObject({ unitIds: [], vars: [] });
  });

  it('are guessed while it is no YAML: units, not the workflow itself', () => {
    const text =
      'metadata:\n  id: w\nspec:\n  units:\n    - id: a\n      uses: acme.a\n    - { id: "b", uses: x.y }\n  flow: [';
    expect(namesIn(text)).toMatchObject({ unitIds: ['a', 'b'], uses: ['acme.a', 'x.y'] });
  });
});
