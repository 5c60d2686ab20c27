import { isCheckpoint } from '../../src/engine/core/log/checkpoint.js';
import { decodeEvents } from '../../src/engine/core/log/event-codec.js';
import {
  asShownBy,
  playFrom,
  playToTheEnd,
  recordedHistories,
  recordHistory,
  stateOf,
} from '../support/durability-histories.js';
import { SCENARIOS } from '../support/durability-scenarios.js';

/**
 * Runs as earlier versions left them. Those of a released version are never recorded again:
 * `RECORD_HISTORIES=<version> npm test -- test/durability/histories.test.ts` writes those of the next one.
 */
const version = process.env['RECORD_HISTORIES'];
if (version !== undefined) {
  for (const scenario of SCENARIOS) await recordHistory(version, scenario);
}

const histories = recordedHistories();

it('there is a history of every scenario', () => {
  const names = new Set(histories.map(({ name }) => name.split(' ')[1]));
  for (const { name } of SCENARIOS) expect(names).toContain(name);
});

describe.each(histories)('the recorded history of $name', (history) => {
  const { record } = history;
  const events = decodeEvents(history.events, record.runId);
  const address = { workflowId: record.workflowId, runId: record.runId };

  it('is shown as it was shown then', async () => {
    const player = await playFrom(history);
    expect(asShownBy(history.name, await player.engine.runs.get(address))).toEqual(record);
    await player.close();
  });

  it('goes on from each of its checkpoints to the same end', async () => {
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

  it('goes on from wherever a power cut stopped it to the same end', async () => {
    for (const count of history.writes) {
      const player = await playFrom(history, count);
      expect(stateOf(await playToTheEnd(player, history))).toEqual(stateOf(record));
      await player.close();
    }
  });
});
