import { MissingWeeks } from './missing-weeks.js';

function begin() {
  const time = { now: 0 };
  const makings: { readonly end: () => void; readonly fail: () => void; readonly signal: AbortSignal }[] = [];
  const waits: { readonly ms: number; readonly end: () => void }[] = [];
  const weeks = new MissingWeeks({
    prepare: (signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      makings.push({ end: resolve, fail: () => reject(new Error('in use')), signal });
      return promise;
    },
    wait: (ms) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waits.push({ ms, end: resolve });
      return promise;
    },
    now: () => time.now,
  });
  return { weeks, time, makings, waits };
}

it('they are made once for all that wait', async () => {
  const { weeks, makings } = begin();
  const both = [weeks.made(), weeks.made()];
  expect(makings).toHaveLength(1);
  makings[0]!.end();
  await Promise.all(both);
});

it('nobody waits longer than a second from when their making began', async () => {
  const { weeks, time, waits, makings } = begin();
  const first = weeks.made();
  time.now = 400;
  const second = weeks.made();
  expect(waits.map(({ ms }) => ms)).toEqual([1_000, 600]);
  for (const { end } of waits) end();
  await Promise.all([first, second]);
  time.now = 1_000;
  await weeks.made();
  expect(makings).toHaveLength(1);
});

it('what could not be made is tried again by whoever comes five seconds later', async () => {
  const { weeks, time, makings } = begin();
  const first = weeks.made();
  makings[0]!.fail();
  await first;
  time.now = 4_999;
  await weeks.made();
  expect(makings).toHaveLength(1);
  time.now = 5_000;
  const again = weeks.made();
  expect(makings).toHaveLength(2);
  makings[1]!.end();
  await again;
});

it('a store that closes ends the making, and waits for that', async () => {
  const { weeks, makings } = begin();
  const waiting = weeks.made();
  const closed = weeks.close();
  expect(makings[0]!.signal.aborted).toBe(true);
  makings[0]!.fail();
  await Promise.all([waiting, closed]);
  await weeks.made();
  expect(makings).toHaveLength(1);
});
