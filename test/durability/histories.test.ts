import { isCheckpoint } from '../../src/engine/core/log/checkpoint.js';
import { decodeEvents } from '../../src/engine/core/log/event-codec.js';
import {
  asShownBy,
  playFrom,
  playToTheEnd,
  recordedHistories,
  stateOf,
} from '../support/durability-histories.js';

/**
 * Runs as versions 0.1.0 and 0.2.0 left them, in the form that these recorded. Those of later versions say more of how
 * they continued: `golden-histories.test.ts`.
 */
const histories = recordedHistories();

describe.each(histories)('the recorded history of $name', (history) => {
  const { record } = history;
  const events = decodeEvents(history.events, record.runId);
  const address = { workflowId: record.workflowId, runId: record.runId };

  it('is shown as it was shown then', async () => {
    const player = await playFrom(history);
    expect(asShownBy(history.name, await player.engine.runs.get(address))).toEqual(record);
    await player.close();
  });

  it('continues from each of its checkpoints to the same end', async () => {
    const checkpoints = events.filter(isCheckpoint);
    expect(checkpoints.length).toBeGreaterThan(0);
    for (const { seq } of checkpoints) {
      const player = await playFrom(history);
      const snapshotId = `${record.runId}.${seq}`;
      await player.engine.runs.snapshot({ ...address, snapshotId });
      await player.inTime(player.engine.runs.resume({ ...address, snapshotId }));
      expect(stateOf(await playToTheEnd(player, history))).toEqual(stateOf(record));
      await player.close();
    }
  });

  it('continues from wherever a power cut stopped it to the same end', async () => {
    for (const count of history.writes) {
      const player = await playFrom(history, count);
      expect(stateOf(await playToTheEnd(player, history))).toEqual(stateOf(record));
      await player.close();
    }
  });
});
