import fc from 'fast-check';
import { idsThatBeginWith, isRunId, LEAST_ID, leastIdAfter, leastIdFrom } from './run-ids.js';

const ID = '01a0c3c5-7c00-7000-8000-00000000000a';
const GREATEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const ids = fc.uuid();
const beginnings = fc.tuple(ids, fc.nat(40)).map(([id, length]) => id.slice(0, length));
/** Beginnings of ids with something after them that no id has there, or has. */
const texts = fc.oneof(
  fc.string(),
  beginnings,
  fc
    .tuple(beginnings, fc.constantFrom('', ' ', '-', '/', '0', '9', ':', 'A', 'f', 'g', '\0', '\uffff'))
    .map(([beginning, end]) => beginning + end),
);

describe('an id of a run', () => {
  it.each([
    [ID, true],
    [ID.toUpperCase(), false],
    [`${ID}0`, false],
    [ID.slice(1), false],
    [ID.replaceAll('-', ''), false],
    [`{${ID}}`, false],
    ['', false],
  ])('is %j: %p', (text, is) => {
    expect(isRunId(text)).toBe(is);
  });
});

describe('the least id from a text on', () => {
  it.each([
    ['', LEAST_ID],
    [ID, ID],
    ['01a0c3c5', '01a0c3c5-0000-0000-0000-000000000000'],
    ['01a0c3c5-7', '01a0c3c5-7000-0000-0000-000000000000'],
    ['01a0g', '01a10000-0000-0000-0000-000000000000'],
    ['01a0c3c5x', '01a0c3c6-0000-0000-0000-000000000000'],
    ['01a0c3c5,', '01a0c3c5-0000-0000-0000-000000000000'],
    ['01:', '01a00000-0000-0000-0000-000000000000'],
    [`${ID} `, '01a0c3c5-7c00-7000-8000-00000000000b'],
    ['!', LEAST_ID],
    ['ffffg', null],
    [`${GREATEST}0`, null],
    ['\uffff', null],
  ])('of %j is %j', (text, id) => {
    expect(leastIdFrom(text)).toBe(id);
  });

  it('divides the ids as the order of texts does', () => {
    fc.assert(
      fc.property(texts, ids, (text, id) => {
        const from = leastIdFrom(text);
        expect(from !== null && id >= from).toBe(id >= text);
        const after = leastIdAfter(text);
        expect(after !== null && id >= after).toBe(id > text);
      }),
    );
  });

  it('comes after the id itself where that is wanted', () => {
    expect(leastIdAfter(ID)).toBe('01a0c3c5-7c00-7000-8000-00000000000b');
    expect(leastIdAfter('01a0c3c5-7c00-7000-8000-00000000000f')).toBe('01a0c3c5-7c00-7000-8000-000000000010');
    expect(leastIdAfter(GREATEST)).toBeNull();
  });
});

describe('the ids that begin with a text', () => {
  it.each([
    ['', [LEAST_ID, GREATEST]],
    ['01a0c3c5-7', ['01a0c3c5-7000-0000-0000-000000000000', '01a0c3c5-7fff-ffff-ffff-ffffffffffff']],
    [ID, [ID, ID]],
    [`${ID}0`, null],
    ['01a0c3c57', null],
    ['01A', null],
    ['%', null],
  ])('of %j are %j', (text, range) => {
    expect(idsThatBeginWith(text)).toEqual(range);
  });

  it('are exactly those between the two', () => {
    fc.assert(
      fc.property(texts, ids, (text, id) => {
        const range = idsThatBeginWith(text);
        expect(range !== null && id >= range[0] && id <= range[1]).toBe(id.startsWith(text));
      }),
    );
  });
});
