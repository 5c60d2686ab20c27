import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FlowgateModule, InMemoryMemoryIndex, InMemoryRunStore } from '../../src/index.js';
import { eventually } from '../support/eventually.js';
import { serviceOf, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

/** A memory that accepts nothing until it is repaired. */
class AilingMemory extends InMemoryMemoryIndex {
  isAiling = true;

  override put(request: Parameters<InMemoryMemoryIndex['put']>[0]): Promise<void> {
    return this.isAiling ? Promise.reject(new Error('The memory is ill')) : super.put(request);
  }
}

/** A store that can become unavailable. */
class RemovableStore extends InMemoryRunStore {
  isAway = false;

  override check(): Promise<void> {
    return this.isAway ? Promise.reject(new Error('/var/lib/runs is gone: restore it')) : Promise.resolve();
  }
}

let app: INestApplication;
let service: Service;
let memory: AilingMemory;
let store: RemovableStore;

beforeEach(async () => {
  memory = new AilingMemory();
  store = new RemovableStore();
  @Module({ imports: [FlowgateModule.forRoot({ memory, store, prefix: '' })] })
  class HostModule {}
  app = await NestFactory.create(HostModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  service = serviceOf(app);
  await service.register(document('plain', [mock('a', 'findable')]));
});
afterEach(() => app.close());

const health = () => service.get('/health');

it('the health says how far the search lags, and that it has caught up', async () => {
  await service.start('plain');
  const { status, body } = await health();
  expect([status, body.ok]).toEqual([200, true]);
  expect(body.memory.behind).toBeGreaterThan(0);
  memory.isAiling = false;
  await eventually(health, (answer) => answer.body.memory.behind === 0);
  expect((await service.get('/memory/search?q=findable')).body.results).toHaveLength(1);
});

it('the health counts no run as undecided while every turn is decided', async () => {
  await service.start('plain');
  expect((await health()).body.undecided).toBe(0);
});

it('an unavailable store makes the health 503 without naming its address, and 200 again when it is back', async () => {
  store.isAway = true;
  const { status, body, text } = await health();
  expect([status, body.ok]).toEqual([503, false]);
  expect(body.error).toMatch(/store/);
  expect(text).not.toContain('/var/lib');
  store.isAway = false;
  expect((await health()).status).toBe(200);
});
