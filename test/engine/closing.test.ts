import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import { StoreError } from '../../src/errors/service-errors.js';
import { systemClock } from '../../src/engine/runtime/system-clock.js';
import { createTransport } from '../../src/engine/units/http/transport/undici-transport.js';
import type { AppendRequest, AppendResult } from '../../src/engine/ports/store/append.js';
import { CompletionWaiters } from '../../src/engine/runtime/streams/completion-waiters.js';
import { inSequence, openEngine } from '../support/engine.js';

class FaultyStore extends InMemoryRunStore {
  isFaulty = false;
  loads = 0;

  override append(request: AppendRequest): AppendResult | Promise<AppendResult> {
    return this.isFaulty ? Promise.reject(new StoreError('full')) : super.append(request);
  }

  override load(request: Parameters<InMemoryRunStore['load']>[0]) {
    this.loads++;
    return super.load(request);
  }
}

describe('an engine that closes', () => {
  it('does not keep retrying what the store refused', async () => {
    const store = new FaultyStore();
    const answer = Promise.withResolvers<string>();
    // Closing waits by the system's clock.
    const { engine } = await openEngine(
      { work: () => answer.promise },
      { store, clock: systemClock, shutdownGraceMs: 20 },
    );
    await engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    await engine.runs.start({ workflowId: 'w' });
    store.isFaulty = true;
    answer.resolve('done');
    await new Promise((resolve) => setTimeout(resolve, 10));
    await engine.close();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { loads } = store;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(store.loads).toBe(loads);
  });

  it('answers at once those that begin to wait after the others were answered', async () => {
    const stops = new CompletionWaiters({
      store: { readRow: async () => null, listOpenGates: async () => [], listChildren: async () => [] },
      watch: { waitFor: () => new Promise(() => {}), announce: () => {}, close: async () => {} },
      clock: systemClock,
      reader: {} as never,
      owns: () => true,
      awaitsUnit: () => false,
      unitWaitMs: 0,
    });
    stops.close();
    const late = Symbol('late');
    const answer = await Promise.race([
      stops.next('r', null).stopped,
      new Promise((resolve) => setTimeout(() => resolve(late), 50)),
    ]);
    expect(answer).toBeNull();
  });

  it('closes its store although something else cannot be closed', async () => {
    const store = new InMemoryRunStore();
    const transport = { ...createTransport(), close: () => Promise.reject(new Error('stuck')) };
    const { engine } = await openEngine({}, { store, transport: transport as never });
    await expect(engine.close()).rejects.toThrow('stuck');
    await expect(store.check()).rejects.toThrow('closed');
  });
});
