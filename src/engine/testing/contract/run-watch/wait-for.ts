import { getEventListeners } from 'node:events';
import { forEver, OTHER_RUN, RUN, type RunWatchHarness } from './support/contract.js';

export default function waitForContract(harness: RunWatchHarness): void {
  it('resolves once something of that run is announced', async () => {
    const waiting = harness.watch.waitFor({ runId: RUN, afterSeq: 3, signal: forEver() });
    harness.watch.announce({ runId: RUN, seq: 4 });
    await waiting;
  });

  it('resolves for every waiter of the run', async () => {
    const waiting = [1, 2, 3].map(() =>
      harness.watch.waitFor({ runId: RUN, afterSeq: 0, signal: forEver() }),
    );
    harness.watch.announce({ runId: RUN, seq: 1 });
    await Promise.all(waiting);
  });

  it('ignores what another run does while its own is silent, and then resolves', async () => {
    const waiting = harness.watch.waitFor({ runId: RUN, afterSeq: 0, signal: forEver() });
    harness.watch.announce({ runId: OTHER_RUN, seq: 9 });
    harness.watch.announce({ runId: RUN, seq: 1 });
    await waiting;
  });

  it('resolves for any run when none is named, whatever the seq', async () => {
    const waiting = harness.watch.waitFor({ runId: null, afterSeq: 1_000, signal: forEver() });
    harness.watch.announce({ runId: OTHER_RUN, seq: 1 });
    await waiting;
  });

  it('resolves when the signal fires, and at once when it has fired', async () => {
    const controller = new AbortController();
    const waiting = harness.watch.waitFor({ runId: RUN, afterSeq: 0, signal: controller.signal });
    controller.abort();
    await waiting;
    await harness.watch.waitFor({ runId: RUN, afterSeq: 0, signal: controller.signal });
  });

  it('keeps nothing on the signal afterwards', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const woken = harness.watch.waitFor({ runId: RUN, afterSeq: 0, signal });
    harness.watch.announce({ runId: RUN, seq: 1 });
    await woken;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    const aborted = harness.watch.waitFor({ runId: null, afterSeq: 0, signal });
    controller.abort();
    await aborted;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('can be called again and again', async () => {
    for (let seq = 1; seq <= 100; seq += 1) {
      const waiting = harness.watch.waitFor({ runId: RUN, afterSeq: seq - 1, signal: forEver() });
      harness.watch.announce({ runId: RUN, seq });
      await waiting;
    }
  });
}
