import { ManualClock } from '../../engine/testing/manual-clock.js';
import { RecordingLogger } from '../../engine/testing/recording-logger.js';
import { PeerFiles } from './peer-files.js';

/** Replicas that hear what each of them tells. */
function replicas(...files: readonly string[]) {
  const clock = new ManualClock();
  const ears: { readonly of: number; readonly heard: (peer: string, hash: string) => void }[] = [];
  const silent = new Set<number>();
  const all = files.map((file, of) => {
    const state = { file };
    const logger = new RecordingLogger();
    const peers = {
      tell: (hash: string) => {
        if (silent.has(of)) return;
        for (const ear of ears) if (ear.of !== of) ear.heard(`r${of}`, hash);
      },
      hear: (heard: (peer: string, hash: string) => void) => {
        const ear = { of, heard };
        ears.push(ear);
        return () => void ears.splice(ears.indexOf(ear), 1);
      },
    };
    const part = new PeerFiles({ peers, held: () => state.file, clock, logger });
    return { part, state, logger };
  });
  for (const { part } of all) part.open();
  const differ = () => all.map(({ part }) => part.differ);
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      await clock.advance(1_000);
      differ();
    }
  };
  return { all, silent, pass, differ };
}

describe('replicas', () => {
  it('that hold the same access file say nothing', async () => {
    const { all, pass, differ } = replicas('a', 'a', 'a');
    await pass(120);
    expect(differ()).toEqual([false, false, false]);
    expect(all.flatMap(({ logger }) => logger.at('warn'))).toEqual([]);
  });

  it('that hold different ones all say so, once, until they hold the same', async () => {
    const { all, pass, differ } = replicas('a', 'a', 'b');
    await pass(60);
    expect(differ()).toEqual([true, true, true]);
    for (const { logger } of all) expect(logger.at('warn')).toHaveLength(1);
    for (const { part, state } of all) {
      state.file = 'b';
      part.changed();
    }
    await pass(12);
    expect(differ()).toEqual([false, false, false]);
    for (const { logger } of all) expect(logger.at('info')).toHaveLength(1);
  });

  it('say nothing while a file is replaced from one to the next', async () => {
    const { all, pass } = replicas('a', 'a');
    await pass(20);
    for (const { part, state } of all) {
      state.file = 'b';
      part.changed();
      await pass(5);
    }
    await pass(60);
    expect(all.flatMap(({ logger }) => logger.at('warn'))).toEqual([]);
  });

  it('know nothing of one that is silent', async () => {
    const { silent, pass, differ } = replicas('a', 'b');
    await pass(30);
    expect(differ()).toEqual([true, true]);
    silent.add(1);
    await pass(60);
    expect(differ()[0]).toBe(false);
  });
});
