import { CallWindows } from './call-windows.js';

const NOW = 1_750_000_000_000;

describe('the calls of an endpoint, as units of several limits count them', () => {
  it('count for their own limit and for all higher ones', () => {
    const windows = new CallWindows();
    windows.add(3, NOW);
    windows.add(2, NOW + 1);
    windows.add(2, NOW + 2);
    expect([windows.hasRoom(2, NOW + 2), windows.hasRoom(3, NOW + 2)]).toEqual([false, false]);
    expect([windows.roomAt(2), windows.roomAt(3)]).toEqual([NOW + 60_001, NOW + 60_000]);
    expect(windows.hasRoom(1, NOW + 2)).toBe(true);
  });

  it('count for a limit that comes later, too, where theirs is lower', () => {
    const windows = new CallWindows();
    windows.add(1, NOW);
    windows.add(5, NOW + 1);
    expect(windows.hasRoom(2, NOW + 1)).toBe(true);
    windows.add(2, NOW + 2);
    expect(windows.hasRoom(2, NOW + 2)).toBe(false);
    expect(windows.roomAt(2)).toBe(NOW + 60_000);
  });

  it('are none after a minute, however many limits there were, and unused limits are removed', () => {
    const windows = new CallWindows();
    for (let limit = 1; limit <= 100; limit += 1) windows.add(limit, NOW + limit * 120_000);
    expect(windows.isEmpty(NOW + 100 * 120_000)).toBe(false);
    expect(windows.isEmpty(NOW + 101 * 120_000)).toBe(true);
  });
});
