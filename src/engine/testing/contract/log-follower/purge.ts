import { Retention } from '../../../runtime/followers/retention.js';
import { ENDED_AT, Following, idOf, sampleEntry, type LogFollowerHarness } from './support/contract.js';

const DAY_MS = 86_400_000;

export default function purgeContract(harness: LogFollowerHarness): void {
  function retention(process: Following): Retention {
    return new Retention({
      store: harness.store,
      clock: process.clock,
      logger: process.logger,
      retentionMs: DAY_MS,
      followers: [process.follower],
    });
  }

  it('never passes the slowest follower', async () => {
    for (let count = 0; count < 3; count += 1) {
      await harness.store.append(sampleEntry(idOf(count), { ends: true }));
    }
    const process = new Following(harness.store);
    const [, second] = await harness.store.readAll({ afterPosition: 0, limit: 2 });
    await harness.store.writeCursor({ name: 'sample', position: second?.position ?? 0 });
    const ended = new AbortController();
    const purging = retention(process).work(ended.signal);
    const left = () => harness.store.readAll({ afterPosition: 0, limit: 10 });
    await process.until(
      async () => (await left()).some(({ kind }) => kind === 'purged'),
      'what the follower has read is purged',
    );
    ended.abort();
    await purging;
    const appended = (await left()).filter(({ kind }) => kind === 'appended');
    expect(appended.map((entry) => entry.runId)).toEqual([idOf(2)]);
  });

  it('shows every follower a tombstone, and forgets it once each has read it', async () => {
    for (let count = 0; count < 250; count += 1) {
      await harness.store.append(sampleEntry(idOf(count), { ends: true }));
    }
    const process = new Following(harness.store, { pollMs: null });
    process.begin();
    await process.until(async () => (await process.follower.lag()) === 0, 'everything is handled');
    const ended = new AbortController();
    const purging = retention(process).work(ended.signal);
    const purged = () => process.batches.flat().filter(({ kind }) => kind === 'purged');
    await process.until(() => purged().length === 250, 'every tombstone is handled');
    expect(purged()[0]).toMatchObject({ runId: idOf(0), workflowId: 'invoices', namespace: 'default' });
    // The next look comes an hour after this one, which may be under way still.
    await process.until(
      async () => (await harness.store.readAll({ afterPosition: 0, limit: 1 })).length === 0,
      'nothing is left of them',
      60_000,
    );
    ended.abort();
    await Promise.all([purging, process.end()]);
  });

  it('leaves runs that have not ended, and those that ended lately', async () => {
    await harness.store.append(sampleEntry(idOf(0)));
    await harness.store.append(sampleEntry(idOf(1), { ends: true }));
    const process = new Following(harness.store);
    await harness.store.writeCursor({ name: 'sample', position: await harness.store.lastPosition() });
    const ended = new AbortController();
    const purging = new Retention({
      store: harness.store,
      clock: process.clock,
      logger: process.logger,
      retentionMs: process.clock.now() - ENDED_AT + DAY_MS,
      followers: [process.follower],
    }).work(ended.signal);
    await process.clock.advance(DAY_MS - 3_600_000);
    ended.abort();
    await purging;
    expect(await harness.store.readAll({ afterPosition: 0, limit: 10 })).toHaveLength(2);
  });

  it('is tried again the next hour when it failed, and says so', async () => {
    await harness.store.append(sampleEntry(idOf(0), { ends: true }));
    const process = new Following(harness.store);
    let isBroken = true;
    const ended = new AbortController();
    const purging = new Retention({
      store: {
        lastPosition: () => harness.store.lastPosition(),
        readCursor: (request) => harness.store.readCursor(request),
        dropTombstones: (request) => harness.store.dropTombstones(request),
        purgeEnded: (request) =>
          isBroken ? Promise.reject(new Error('the disk is full')) : harness.store.purgeEnded(request),
      },
      clock: process.clock,
      logger: process.logger,
      retentionMs: DAY_MS,
      followers: [],
    }).work(ended.signal);
    await process.until(() => process.logger.at('warn').length === 1, 'it failed');
    isBroken = false;
    await process.until(
      async () => (await harness.store.readAll({ afterPosition: 0, limit: 1 })).length === 0,
      'the run is gone',
      60_000,
    );
    ended.abort();
    await purging;
    expect(process.logger.at('warn')).toHaveLength(1);
  });
}
