import type { AuditAct } from '../../engine/index.js';
import { ManualClock } from '../../engine/testing/manual-clock.js';
import { RecordingLogger } from '../../engine/testing/recording-logger.js';
import { RefusalAudit, type NotedRefusal } from './refusal-audit.js';

const NOBODY: NotedRefusal = { status: 401, reason: 'no credentials', by: null, namespace: null };
const of = (owner: string, more: Partial<NotedRefusal> = {}): NotedRefusal => ({
  status: 403,
  reason: 'This needs the permission run:start',
  by: { id: `key-of-${owner}`, owner, via: 'http', auth: 'key' },
  namespace: 'acme',
  ...more,
});

function world() {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const acts: AuditAct[] = [];
  const store = { isBroken: false };
  const audit = {
    record: async ({ acts: more }: { readonly acts: readonly AuditAct[] }): Promise<void> => {
      if (store.isBroken) throw new Error('the disk is full');
      acts.push(...more);
    },
  };
  return { clock, logger, acts, store, refusals: new RefusalAudit({ audit, clock, logger }) };
}
const counts = (acts: readonly AuditAct[]) => acts.flatMap(({ facts }) => facts['count'] ?? []);

it('tells of the first refusal of each reason and principal in a minute, and of how many others there were', async () => {
  const { clock, acts, refusals } = world();
  for (const one of [
    NOBODY,
    NOBODY,
    of('ann'),
    of('bob'),
    of('ann'),
    { ...NOBODY, reason: 'it has expired' },
  ])
    refusals.note(one);
  await clock.advance(59_999);
  expect(acts.map(({ by, facts }) => [by?.owner ?? null, facts['status'], facts['reason']])).toEqual([
    [null, 401, 'no credentials'],
    ['ann', 403, 'This needs the permission run:start'],
    ['bob', 403, 'This needs the permission run:start'],
    [null, 401, 'it has expired'],
  ]);
  await clock.advance(1);
  expect(acts.at(-1)).toMatchObject({ action: 'request.refuse-more', by: null, facts: { count: 2 } });
});

it('begins again in the next minute, and has no timer while nothing is refused', async () => {
  const { clock, acts, refusals } = world();
  refusals.note(NOBODY);
  await clock.advance(60_000);
  expect(clock.scheduled).toBe(0);
  refusals.note(NOBODY);
  await clock.advance(60_000);
  expect(acts.map(({ action }) => action)).toEqual(['request.refuse', 'request.refuse']);
});

it('tells of a hundred in a minute, and counts the rest, however many and of how many kinds', async () => {
  const { clock, acts, refusals } = world();
  for (let count = 0; count < 5_000; count += 1) refusals.note(of(`owner-${count}`));
  await clock.advance(60_000);
  expect(acts).toHaveLength(101);
  expect(counts(acts)).toEqual([4_900]);
});

it('counts those that cannot be recorded, and says so once', async () => {
  const { clock, logger, acts, store, refusals } = world();
  store.isBroken = true;
  refusals.note(of('ann'));
  refusals.note(of('bob'));
  refusals.note(of('bob'));
  await clock.advance(60_000);
  expect(logger.at('warn')).toHaveLength(1);
  store.isBroken = false;
  refusals.note(of('carol'));
  await clock.advance(60_000);
  expect(acts.map(({ by }) => by?.owner ?? null)).toEqual(['carol', null]);
  expect(counts(acts)).toEqual([3]);
});

it('records what is left when it is closed, and keeps no timer', async () => {
  const { clock, acts, refusals } = world();
  refusals.note(NOBODY);
  refusals.note(NOBODY);
  await refusals.close();
  expect(counts(acts)).toEqual([1]);
  expect(clock.scheduled).toBe(0);
});

it('keeps a reason short', async () => {
  const { acts, refusals } = world();
  refusals.note({ ...NOBODY, reason: 'x'.repeat(10_000) });
  await refusals.close();
  expect(String(acts[0]?.facts['reason'])).toHaveLength(300);
});
