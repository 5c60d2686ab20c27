import { InMemoryRunStore } from '../../src/engine/index.js';
import type { AppendRequest, AppendResult } from '../../src/engine/ports/store/append.js';
import { inSequence, openEngine } from '../support/engine.js';
import { exportOf } from '../support/exports.js';

/** Another process deletes definitions that no run names just before an import is written, so many times. */
class SweptStore extends InMemoryRunStore {
  constructor(private sweeps: number) {
    super();
  }

  override async append(request: AppendRequest): Promise<AppendResult> {
    if (request.row.origin !== 'import' || this.sweeps === 0) return super.append(request);
    this.sweeps -= 1;
    await this.removeUnusedDefinitions({ opening: null, limit: 10 });
    // As a store that has the definition locked by then answers.
    return 'stale';
  }
}

async function importedBeside(sweeps: number): Promise<unknown> {
  const here = await openEngine({ work: () => 'done' });
  const store = new SweptStore(sweeps);
  const there = await openEngine({ work: () => 'done' }, { store });
  try {
    await here.engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    const run = await here.engine.runs.start({ workflowId: 'w', sync: true });
    const ndjson = Buffer.from(await exportOf(here.engine, run));
    const { status, runId } = await there.engine.runs.import({ ndjson });
    const hash = (await store.readRow({ runId }))?.definitionHash ?? '';
    return { status, isKept: (await store.readDefinition({ namespace: 'default', hash })) !== null };
  } catch (error) {
    return (error as { readonly code?: string }).code;
  } finally {
    await here.engine.close();
    await there.engine.close();
  }
}

it('an import whose definition is deleted before it is written stores that again, and is written', async () => {
  expect(await importedBeside(1)).toEqual({ status: 'completed', isKept: true });
  expect(await importedBeside(2)).toEqual({ status: 'completed', isKept: true });
});

it('an import whose definition is deleted again and again is no run that is known already', async () => {
  expect(await importedBeside(99)).toBe('store');
});
