import { Inject, Injectable, Logger, Module, Scope, type Type } from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import { Flowgate, FlowgateModule, OnRunEvent, Unit, type RunEvent } from '../../src/index.js';
import { inSequence, workflowYaml } from '../support/engine.js';
import { until } from '../support/eventually.js';

@Injectable()
class Orders {
  @Unit('work')
  work(): number {
    return 1;
  }

  @Unit('break')
  break(): never {
    throw new Error('broken');
  }
}

const WORKFLOWS = [
  inSequence('w', [{ id: 'work', uses: 'work' }]),
  inSequence('broken', [{ id: 'break', uses: 'break' }], { policy: { retry: { maxAttempts: 1 } } }),
  workflowYaml('beside', {
    units: [
      { id: 'agree', uses: 'builtin.approval', config: { timeout: 'P1D' } },
      { id: 'hour', uses: 'builtin.wait', config: { duration: 'PT1H' } },
    ],
    flow: { type: 'parallel', units: ['agree', 'hour'] },
  }),
  inSequence('gated', [{ id: 'agree', uses: 'builtin.approval' }]),
];

async function hostOf(providers: readonly Type[]) {
  const lines: string[] = [];
  const keep = (line: unknown) => void lines.push(String(line));
  const logger = { log: () => undefined, warn: keep, error: keep };
  @Module({
    imports: [FlowgateModule.forRoot(), FlowgateModule.forFeature({ workflows: WORKFLOWS })],
    providers: [Orders, ...providers],
  })
  class AppModule {}
  const app = await NestFactory.create(AppModule, { logger, abortOnError: false });
  await app.init();
  const flowgate = app.get(Flowgate);
  return {
    app,
    lines,
    flowgate,
    run: (workflowId: string) => flowgate.start(workflowId, {}, { sync: true }),
    said: (part: string) => lines.filter((line) => line.includes(part)),
  };
}

// Nest's logger is one for the process.
afterAll(() => Logger.overrideLogger(undefined as never));

describe('a hook of the host', () => {
  const events: RunEvent[] = [];
  beforeEach(() => void events.splice(0));

  @Injectable()
  class Watching {
    @OnRunEvent('started', { workflow: 'w' })
    @OnRunEvent('completed')
    @OnRunEvent('paused')
    @OnRunEvent('failed')
    told(event: RunEvent): void {
      events.push(event);
    }
  }

  it('is notified of the runs that it asks for, with their records', async () => {
    const { app, run, flowgate } = await hostOf([Watching]);
    const done = await run('w');
    await until(() => events.length === 2, 'the hook was told');
    expect(events.map(({ type }) => type).sort()).toEqual(['completed', 'started']);
    expect(events.find(({ type }) => type === 'completed')).toEqual({
      type: 'completed',
      workflowId: 'w',
      runId: done.runId,
      namespace: 'default',
      at: done.updatedAt,
      record: done,
    });
    events.splice(0);
    const [failed, paused] = [await run('broken'), await run('gated')];
    await until(() => events.length === 2, 'the hook was told');
    // Each reads its record by itself, so runs may overtake one another.
    expect(new Map(events.map(({ type, record }) => [type, record]))).toEqual(
      new Map([
        ['failed', failed],
        ['paused', paused],
      ]),
    );
    events.splice(0);
    const cancelled = await flowgate.cancel('gated', paused.runId, { by: 'ann' });
    await until(() => events.length === 1, 'the hook was told');
    expect(cancelled.error).toBe('Cancelled by ann');
    expect(events.map(({ type, record }) => [type, record])).toEqual([['failed', cancelled]]);
    await app.close();
  });

  it('is notified of a gate that opens next to a timer, before anything of the run stops', async () => {
    const gates: RunEvent[] = [];
    @Injectable()
    class Asking {
      @OnRunEvent('gateOpened', { workflow: 'beside' })
      @OnRunEvent('gateClosed')
      @OnRunEvent('cancelled')
      @OnRunEvent('unitFailed')
      @OnRunEvent('resumed')
      told(event: RunEvent): void {
        gates.push(event);
      }
    }
    const { app, run, flowgate } = await hostOf([Asking]);
    const { runId } = await flowgate.start('beside');
    await until(() => gates.length === 1, 'the hook was told');
    expect(gates[0]).toMatchObject({
      type: 'gateOpened',
      workflowId: 'beside',
      runId,
      record: { status: 'running' },
      about: { unitId: 'agree', dueAt: expect.any(Number) },
    });
    await flowgate.cancel('beside', runId);
    await until(() => gates.length === 3, 'the hook was told');
    expect(
      gates
        .slice(1)
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['cancelled', 'gateClosed']);
    expect(gates.find(({ type }) => type === 'gateClosed')?.about).toMatchObject({ closedBy: 'cancel' });
    await run('broken');
    await until(() => gates.length === 4, 'the hook was told');
    expect(gates[3]).toMatchObject({ type: 'unitFailed', about: { unitId: 'break' } });
    await app.close();
  });

  it('that throws delays nothing, and is logged with its location and its run', async () => {
    @Injectable()
    class Throwing {
      @OnRunEvent('completed')
      async throws(): Promise<void> {
        throw new Error(`no mail server ${'x'.repeat(2_000)}`);
      }

      @OnRunEvent('completed')
      throwsAtOnce(): void {
        // eslint-disable-next-line no-throw-literal
        throw null;
      }
    }
    const { app, run, said } = await hostOf([Throwing, Watching]);
    const { runId, status } = await run('w');
    expect(status).toBe('completed');
    await until(() => said('failed for the run').length === 2, 'the fault was said');
    expect(said('Throwing.throws in AppModule')[0]).toContain(
      `for the run ${runId} of w (completed): no mail`,
    );
    expect(said('Throwing.throws in AppModule')[0]!.length).toBeLessThan(700);
    expect(said('Throwing.throwsAtOnce')[0]).toContain('null');
    await app.close();
  });

  it('is called a few times at once, and delays no other', async () => {
    let [atOnce, most, done] = [0, 0, 0];
    const gate = Promise.withResolvers<void>();
    @Injectable()
    class Slow {
      @OnRunEvent('completed')
      async slow(): Promise<void> {
        atOnce += 1;
        most = Math.max(most, atOnce);
        await gate.promise;
        atOnce -= 1;
        done += 1;
      }
    }
    const { app, run } = await hostOf([Slow, Watching]);
    for (let count = 0; count < 10; count += 1) await run('w');
    await until(() => events.filter(({ type }) => type === 'completed').length === 10, 'the hook was told');
    expect([most, done]).toEqual([4, 0]);
    gate.resolve();
    await until(() => done === 10, 'the hook was told');
    expect(most).toBe(4);
    await app.close();
  });

  it('that has begun is waited for at the end of the application; one that has not is logged', async () => {
    const gate = Promise.withResolvers<void>();
    let ended = 0;
    @Injectable()
    class Slow {
      @OnRunEvent('completed')
      async slow(): Promise<void> {
        await gate.promise;
        ended += 1;
      }
    }
    const { app, run, said } = await hostOf([Slow]);
    for (let count = 0; count < 6; count += 1) await run('w');
    const closing = app.close();
    setTimeout(gate.resolve, 50);
    await closing;
    expect([ended, said('2 calls of hooks were not made')].flat()).toHaveLength(2);
    expect(ended).toBe(4);
  });

  it('of the scope of a request has the event as REQUEST', async () => {
    const seen: [RunEvent, RunEvent][] = [];
    @Injectable({ scope: Scope.REQUEST })
    class Scoped {
      constructor(@Inject(REQUEST) private readonly request: RunEvent) {}

      @OnRunEvent('completed')
      told(event: RunEvent): void {
        seen.push([this.request, event]);
      }
    }
    const { app, run } = await hostOf([Scoped]);
    await run('w');
    await until(() => seen.length === 1, 'the hook was told');
    expect(seen[0]![0]).toBe(seen[0]![1]);
    await app.close();
  });

  it('for an instance that does not exist stops the start', async () => {
    @Injectable()
    class Elsewhere {
      @OnRunEvent('completed', { instance: 'other' })
      told(): void {}
    }
    await expect(hostOf([Elsewhere])).rejects.toThrow(
      'The hook Elsewhere.told in AppModule is for the Flowgate named "other", and there is none',
    );
  });
});
