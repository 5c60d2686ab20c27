import { documentWith, refusalOf } from './support/faults.js';
import { echoes, run } from './support/runs.js';

/** `prüfung` with its ü as one character, and as two. */
const COMPOSED = 'pr\u00fcfung';
const APART = 'pru\u0308fung';

describe('a unit id', () => {
  it.each([
    ['with a leading digit', '2nd-review'],
    ['of digits alone', '42'],
    ['with dots', 'a.b.c'],
    ['of Han characters', '审批'],
    ['with a vowel sign', 'समीक्षा'],
    ['of 256 characters', 'x'.repeat(256)],
    ['of 256 letters of two code units each', '𐐀'.repeat(256)],
  ])('%s names a unit, its output and its scope', async (_name, id) => {
    const { record, state, called } = await run({
      units: [
        { id, uses: 'echo', with: { n: 1 } },
        { id: 'after', uses: 'echo', with: { read: `\${{ outputs["${id}"].n + 1 }}` } },
      ],
      flow: { type: 'dag', executors: [id, 'after'], dependencies: { after: [id] } },
    });
    expect(record.status).toBe('completed');
    expect(called).toEqual([id, 'after']);
    expect(state).toMatchObject({ [`output.${id}`]: { n: 1 }, 'output.after': { read: 2 } });
  });

  it.each(['-a', '.a', 'a b', 'a/b', 'a#b', '\u0308a', 'x'.repeat(257), ''])('may not be %j', async (id) => {
    const { type, details } = await refusalOf(
      documentWith(`units: [{ id: ${JSON.stringify(id)}, uses: acme.work }]\nflow: { type: sequential }`),
    );
    expect(type).toBe('YamlValidationError');
    expect(details[0]).toMatchObject({ path: '/spec/units/0/id' });
  });

  it('is the same however its letters are written, wherever it is named', async () => {
    const { record, state, called } = await run({
      entry: COMPOSED,
      units: [
        { id: APART, uses: 'echo', with: { from: 'it' }, contextPolicy: { state: [`output.${APART}`] } },
        {
          id: 'after',
          uses: 'echo',
          with: { read: `\${{ outputs["${APART}"].from }}` },
          contextPolicy: { state: [`output.${APART}`] },
        },
        ...echoes('last'),
      ],
      flow: {
        type: 'sequential',
        order: [
          { type: 'dag', executors: [COMPOSED, 'after'], dependencies: { after: [APART] } },
          { type: 'loop', do: 'last', untilStateKey: `output.${APART}`, maxIterations: 3 },
        ],
      },
    });
    expect(record.status).toBe('completed');
    expect(called).toEqual([COMPOSED, 'after', 'last']);
    expect(state).toMatchObject({ [`output.${COMPOSED}`]: { from: 'it' }, 'output.after': { read: 'it' } });
  });

  it('is taken when its letters are written in two ways', async () => {
    const { type, details } = await refusalOf(
      documentWith(`
units:
  - { id: ${COMPOSED}, uses: acme.work }
  - { id: ${APART}, uses: acme.work }
flow: { type: sequential, order: [${COMPOSED}] }`),
    );
    expect(type).toBe('YamlLoadError');
    expect(details).toMatchObject([{ message: `two units are named ${COMPOSED}: rename one of them` }]);
  });

  it('that is no identifier is not a member of outputs, and the fault says how it is read', async () => {
    const { details } = await refusalOf(
      documentWith(`
units:
  - { id: my-unit, uses: acme.work }
  - { id: after, uses: acme.work, if: outputs.my-unit == 1 }
flow: { type: sequential }`),
    );
    expect(details[0]?.message).toMatch(/; a unit whose id is my-unit is read as outputs\["my-unit"\]$/);
  });

  it('that looks like a subtraction is a load error with what to write instead', async () => {
    const { details } = await refusalOf(
      documentWith(`
units:
  - { id: step-2, uses: acme.work }
  - { id: after, uses: acme.work, if: outputs.step-2 > 1 }
flow: { type: sequential }`),
    );
    expect(details[0]?.message).toMatch(/; a unit whose id is step-2 is read as outputs\["step-2"\]$/);
  });
});
