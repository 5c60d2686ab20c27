import { StoreError } from '../../src/errors/service-errors.js';
import { inSequence } from '../support/engine.js';
import { DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { SteeredStore } from '../support/durability-store.js';

/** A store whose reads fail as long as a test wants, like a disk that responds again after a while. */
class UnreadableStore extends SteeredStore {
  isReadable = true;

  override async load(request: Parameters<SteeredStore['load']>[0]) {
    if (!this.isReadable) throw new StoreError('The disk failed to read');
    return super.load(request);
  }
}

const engines = new DurableEngines();
afterEach(() => engines.clear());

it('a run that could not be read at the start continues once it can, without a restart', async () => {
  const folder = engines.folder();
  const first = await engines.open(folder, { work: () => new Promise(() => {}) });
  await first.engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
  const { runId } = await first.engine.runs.start({ workflowId: 'w' });
  await first.engine.close();
  const store = new UnreadableStore(folder);
  store.isReadable = false;
  const { engine, clock } = await engines.open(folder, { work: () => 'done' }, { store });
  store.isReadable = true;
  await clock.advance(10_000);
  await until(
    async () => (await engine.runs.get({ workflowId: 'w', runId })).status === 'completed',
    'the run ends',
  );
});
