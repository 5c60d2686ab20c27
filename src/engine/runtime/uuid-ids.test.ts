import { inLane, laneByteOf, laneOf } from '../core/lane.js';
import { uuidIds } from './uuid-ids.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the id of a run', () => {
  it('is a UUIDv7 of the lane that was asked for, whatever the number of lanes', () => {
    for (let laneCount = 1; laneCount <= 256; laneCount += 1) {
      for (let lane = 0; lane < laneCount; lane += 1) {
        const id = uuidIds.runId({ lane, laneCount });
        if (laneOf(id, laneCount) !== lane || !UUID_V7.test(id))
          throw new Error(`${id}: ${lane}/${laneCount}`);
      }
    }
  });

  it('names its lane as the core would have put it there', () => {
    const id = uuidIds.runId({ lane: 5, laneCount: 64 });
    expect(inLane(id, 5, 64)).toBe(id);
  });

  it('uses every byte that the lane leaves free', () => {
    const bytes = new Set(
      Array.from({ length: 400 }, () => laneByteOf(uuidIds.runId({ lane: 3, laneCount: 64 }))),
    );
    expect([...bytes].sort((a, b) => a - b)).toEqual([3, 67, 131, 195]);
  });

  it('falls into any lane when none is asked for, and never comes twice', () => {
    const ids = Array.from({ length: 4_000 }, () => uuidIds.runId(null));
    expect(new Set(ids).size).toBe(4_000);
    expect(new Set(ids.map((id) => laneOf(id, 16))).size).toBe(16);
  });
});
