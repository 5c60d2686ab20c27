import fc from 'fast-check';
import { weekAt, weekNamed, weekOfId, weeksFrom, WEEK_MS } from './weeks.js';

const at = (text: string): number => Date.parse(text);

describe('a week', () => {
  it('is from Monday to Monday, UTC', () => {
    const week = weekAt(at('2026-11-26T06:20:00Z'));
    expect(new Date(week.startMs).toISOString()).toBe('2026-11-23T00:00:00.000Z');
    expect(new Date(week.endMs).toISOString()).toBe('2026-11-30T00:00:00.000Z');
    expect(weekAt(week.startMs)).toEqual(week);
    expect(weekAt(week.endMs - 1)).toEqual(week);
    expect(weekAt(week.endMs).startMs).toBe(week.endMs);
  });

  it.each([
    ['2026-11-23', '2026w48'],
    ['2026-01-01', '2026w01'],
    ['2025-12-29', '2026w01'],
    ['2025-12-28', '2025w52'],
    ['2026-12-31', '2026w53'],
    ['2027-01-03', '2026w53'],
    ['2027-01-04', '2027w01'],
    ['2024-12-30', '2025w01'],
  ])('has the number that ISO 8601 gives it: %s is in %s', (date, name) => {
    expect(weekAt(at(`${date}T12:00:00Z`)).name).toBe(name);
  });

  it('is found by its name, and by no other', () => {
    for (const name of ['2026w00', '2026w54', '2025w53', 'other', '2026w1', '2026W48', '2026w48x', ''])
      expect(weekNamed(name)).toBeNull();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: at('2999-12-31T00:00:00Z') }), (ms) => {
        const week = weekAt(ms);
        expect(weekNamed(week.name)).toEqual(week);
        expect(week.startMs <= ms && ms < week.endMs).toBe(true);
      }),
    );
  });

  it('comes after the one before it', () => {
    const [first, second, third, ...others] = weeksFrom(at('2026-12-24T00:00:00Z'), 3);
    expect([first?.name, second?.name, third?.name, others]).toEqual(['2026w52', '2026w53', '2027w01', []]);
    expect([second?.startMs, second?.fromId]).toEqual([first?.endMs, first?.toId]);
  });
});

describe('the ids of a week', () => {
  const hex = (ms: number): string => ms.toString(16).padStart(12, '0');
  const idAt = (ms: number, rest: string): string => `${hex(ms).slice(0, 8)}-${hex(ms).slice(8)}-${rest}`;

  it('are those with an instant in it', () => {
    const week = weekAt(at('2026-11-26T00:00:00Z'));
    expect(week.fromId).toBe(idAt(week.startMs, '0000-0000-000000000000'));
    expect(weekOfId(week.fromId)).toEqual(week);
    expect(weekOfId(idAt(week.endMs - 1, '7fff-bfff-ffffffffffff'))).toEqual(week);
    expect(weekOfId(week.toId).startMs).toBe(week.endMs);
  });

  it('are between its bounds, as PostgreSQL compares them: byte by byte', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), (id) => {
        const { fromId, toId, startMs, endMs } = weekOfId(id);
        expect(fromId <= id && id < toId).toBe(true);
        expect(endMs - startMs).toBe(WEEK_MS);
      }),
    );
  });

  it('have bounds also at the two ends of time', () => {
    expect(weekAt(0).fromId).toBe('00000000-0000-0000-0000-000000000000');
    expect(weekOfId('ffffffff-ffff-7fff-bfff-ffffffffffff').toId).toBe(
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
    );
  });
});
