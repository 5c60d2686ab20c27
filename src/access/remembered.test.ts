import { ManualClock } from '../engine/testing/manual-clock.js';
import { Remembered } from './remembered.js';

const clock = new ManualClock();
const held = (most?: number): Remembered<string> => new Remembered(clock, most);

test('what was used longest ago goes where more is remembered than may be', () => {
  const remembered = held(2);
  for (const name of ['a', 'b']) remembered.set(name, name, { age: 0, expiresAt: null });
  remembered.get('a');
  remembered.set('c', 'c', { age: 0, expiresAt: null });
  expect(['a', 'b', 'c'].map((name) => remembered.get(name))).toEqual(['a', undefined, 'c']);
});

test('nothing is remembered for more than a minute, or beyond its own end', async () => {
  const remembered = held();
  remembered.set('long', 'long', { age: 0, expiresAt: null });
  remembered.set('short', 'short', { age: 0, expiresAt: clock.wallTime() + 1_000 });
  await clock.advance(1_000);
  expect([remembered.get('long'), remembered.get('short')]).toEqual(['long', undefined]);
  await clock.advance(59_000);
  expect(remembered.get('long')).toBeUndefined();
});

test('a wall clock that is set back makes nothing last longer', async () => {
  const remembered = held();
  remembered.set('one', 'one', { age: 0, expiresAt: null });
  clock.setWallBy(-3_600_000);
  await clock.advance(60_000);
  expect(remembered.get('one')).toBeUndefined();
});

test('what was looked up before all was forgotten is not remembered after it', () => {
  const remembered = held();
  const { age } = remembered;
  remembered.clear();
  remembered.set('one', 'one', { age, expiresAt: null });
  expect(remembered.get('one')).toBeUndefined();
});
