import { Controller, Get, Inject, Injectable, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  Engine,
  engineToken,
  FlowgateModule,
  InjectEngine,
  type FlowgateModuleOptions,
  type FlowgateOptionsFactory,
} from '../../src/index.js';
import { ADAPTERS, startHost } from '../support/host.js';
import { serviceOf } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

let app: INestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

/** A host that has the same paths itself. */
@Controller()
class OwnPaths {
  @Get('health')
  health(): string {
    return 'of the host';
  }
}

const WORK = 'billing.charge';

describe.each(ADAPTERS)('on %s', (adapter) => {
  const at = (prefix: string) => serviceOf(app!, prefix);

  it('is mounted below /flowgate by default, and shadows nothing of the host', async () => {
    app = await startHost({ adapter, controllers: [OwnPaths] });
    expect((await at('').get('/health')).text).toBe('of the host');
    expect((await at('/flowgate').get('/health')).body).toMatchObject({ ok: true });
  });

  it('is mounted at the root with an empty prefix, and anywhere else with another', async () => {
    app = await startHost({ adapter, flowgate: { prefix: '' } });
    expect((await at('').get('/health')).body.ok).toBe(true);
    await app.close();
    app = await startHost({ adapter, flowgate: { prefix: '/internal/flows/' } });
    expect((await at('/internal/flows').get('/health')).body.ok).toBe(true);
  });

  it('several named instances have paths, workflows and units of their own', async () => {
    @Injectable()
    class Ledger {
      constructor(
        @InjectEngine('billing') readonly billing: Engine,
        @InjectEngine('shipping') readonly shipping: Engine,
        readonly plain: Engine,
      ) {}
    }
    app = await startHost({
      adapter,
      providers: [Ledger],
      imports: [
        FlowgateModule.forRoot({ name: 'billing', prefix: 'billing', apiGroups: ['billing', 'flowgate'] }),
        FlowgateModule.forRoot({
          name: 'shipping',
          prefix: 'shipping',
          serverName: 'ship',
          maxBodyBytes: 500,
        }),
        FlowgateModule.forRoot(),
      ],
    });
    const { billing, shipping, plain } = app.get(Ledger);
    expect(new Set([billing, shipping, plain]).size).toBe(3);
    billing.registerUnit(WORK, () => ({ content: 'billed' }));
    shipping.registerUnit(WORK, () => ({ content: 'shipped' }));
    const yaml = document('work', [{ id: 'a', uses: WORK }]);
    const state = async (prefix: string) =>
      (await at(prefix).start(await at(prefix).register(yaml))).result?.state;
    expect(await state('/billing')).toEqual({ 'output.a': 'billed' });
    expect(await state('/shipping')).toEqual({ 'output.a': 'shipped' });
    expect((await at('/flowgate').get('/workflows')).body.workflows).toEqual([]);
    expect((await at('/shipping').post('/mcp', { method: 'initialize' })).body.result.serverInfo.name).toBe(
      'ship',
    );
    const large = { input: { text: 'x'.repeat(600) } };
    expect((await at('/shipping').post('/workflows/work/runs', large)).status).toBe(413);
    expect((await at('/billing').post('/workflows/work/runs', large)).status).toBe(202);
  });

  it('every part of the HTTP surface can be switched off', async () => {
    const asked = [
      ['health', 'GET', '/health'],
      ['workflows', 'GET', '/workflows'],
      ['workflows', 'GET', '/workflows/x/diff'],
      ['registration', 'POST', '/workflows/from-yaml'],
      ['registration', 'POST', '/workflows/validate'],
      ['runs', 'GET', '/workflows/x/runs/y'],
      ['runs', 'GET', '/workflows/x/runs/y/messages'],
      ['hitl', 'POST', '/workflows/x/runs/y/hitl'],
      ['memory', 'GET', '/memory/search?q=x'],
      ['mcp', 'POST', '/mcp'],
      ['metrics', 'GET', '/metrics'],
      ['schemas', 'GET', '/schemas/workflow.v1.json'],
    ] as const;
    const isThere = async ([, method, path]: (typeof asked)[number]) => {
      const { body, status } = await at('/flowgate').call(method, path);
      return !(status === 404 && String(body?.message).startsWith('Cannot '));
    };
    for (const off of new Set(asked.map(([part]) => part))) {
      app = await startHost({ adapter, flowgate: { http: { [off]: false } } });
      for (const path of asked) {
        const isOff = path[0] === off || (off === 'workflows' && path[0] === 'registration');
        expect([off, path, await isThere(path)]).toEqual([off, path, !isOff]);
      }
      await app.close();
    }
    app = await startHost({ adapter, flowgate: { http: false } });
    for (const path of asked) expect([path, await isThere(path)]).toEqual([path, false]);
    expect(await app.get(Engine).workflows.list()).toEqual([]);
  });

  it('the tools of the gateway work where the routes that do the same are off', async () => {
    app = await startHost({
      adapter,
      flowgate: { http: { workflows: false, registration: true, runs: false, hitl: false } },
    });
    const service = at('/flowgate');
    await service.register(document('x', [mock('a')]));
    const params = { name: 'run_workflow', arguments: { workflowId: 'x', sync: true } };
    const { body } = await service.post('/mcp', { method: 'tools/call', params });
    expect(JSON.parse(body.result.content[0].text).status).toBe('completed');
  });
});

describe('the start fails, and says what to do, where', () => {
  const both = (...imports: Parameters<typeof startHost>[0]['imports'] & {}) =>
    startHost({ adapter: 'express', imports });

  it('two instances have no name', async () => {
    await expect(both(FlowgateModule.forRoot(), FlowgateModule.forRoot({ prefix: 'b' }))).rejects.toThrow(
      /twice without a name.*give the second instance a name/,
    );
  });

  it('two instances have one name', async () => {
    const named = (prefix: string) => FlowgateModule.forRoot({ name: 'a', prefix });
    await expect(both(named('x'), named('y'))).rejects.toThrow(/twice with the name "a"/);
  });

  it('two instances have one prefix, however it is written', async () => {
    await expect(
      both(
        FlowgateModule.forRoot({ prefix: 'flows' }),
        FlowgateModule.forRoot({ name: 'a', prefix: '/Flows/' }),
      ),
    ).rejects.toThrow(
      /the one without a name and "a", have the prefix "Flows": give each a prefix of its own/,
    );
  });

  it('and nothing of the host was called before', async () => {
    let calls = 0;
    const useFactory = () => {
      calls += 1;
      return {};
    };
    await expect(
      both(FlowgateModule.forRootAsync({ useFactory }), FlowgateModule.forRootAsync({ useFactory })),
    ).rejects.toThrow(/twice/);
    expect(calls).toBeLessThan(2);
  });

  it('a name cannot be one', () => {
    expect(() => FlowgateModule.forRoot({ name: 'a b' })).toThrow(/"a b" is no name: take 1 to 64/);
  });
});

it('two instances may have one prefix where one of them has no paths', async () => {
  app = await startHost({
    adapter: 'express',
    imports: [FlowgateModule.forRoot(), FlowgateModule.forRoot({ name: 'quiet', http: false })],
  });
  expect(app.get(engineToken('quiet'))).toBeInstanceOf(Engine);
});

it('the engine of a named instance is never found by the class, also where it is the only one', async () => {
  app = await startHost({ adapter: 'express', imports: [FlowgateModule.forRoot({ name: 'a' })] });
  expect(() => app!.get(Engine)).toThrow(/could not find Engine/);
  await app.close();
  app = await startHost({
    adapter: 'express',
    imports: [FlowgateModule.forRoot(), FlowgateModule.forRoot({ name: 'a', prefix: 'a' })],
  });
  expect(app.get(Engine)).toBe(app.get(engineToken()));
  expect(app.get(Engine)).not.toBe(app.get(engineToken('a')));
});

it('one module that several modules of a host import is one instance', async () => {
  const flowgate = FlowgateModule.forRoot();
  @Module({ imports: [flowgate] })
  class Orders {}
  @Module({ imports: [flowgate] })
  class Payments {}
  app = await startHost({ adapter: 'express', imports: [Orders, Payments] });
  expect((await serviceOf(app, '/flowgate').get('/health')).status).toBe(200);
});

it('what a module that is not global exports is injectable only where it is imported', async () => {
  @Injectable()
  class Stranger {
    constructor(@InjectEngine('a') readonly engine: Engine) {}
  }
  @Module({ providers: [Stranger] })
  class Elsewhere {}
  const imports = (global: boolean) => [FlowgateModule.forRoot({ name: 'a', global }), Elsewhere];
  await expect(startHost({ adapter: 'express', imports: imports(false) })).rejects.toThrow(/Stranger/);
  app = await startHost({ adapter: 'express', imports: imports(true) });
  expect(app.get(Stranger).engine).toBe(app.get(engineToken('a')));
});

describe('options come', () => {
  @Injectable()
  class Settings {
    readonly serverName = 'from-settings';
  }
  @Module({ providers: [Settings], exports: [Settings] })
  class SettingsModule {}

  @Injectable()
  class Factory implements FlowgateOptionsFactory {
    static made = 0;
    constructor(@Inject(Settings) private readonly settings: Settings) {
      Factory.made += 1;
    }
    createFlowgateOptions(): Promise<FlowgateModuleOptions> {
      return Promise.resolve({ serverName: this.settings.serverName });
    }
  }
  @Module({ imports: [SettingsModule], providers: [Factory], exports: [Factory] })
  class FactoryModule {}

  const nameOfServer = async () =>
    (await serviceOf(app!, '/flowgate').post('/mcp', { method: 'initialize' })).body.result.serverInfo.name;

  it('from a function with what is injected into it', async () => {
    const flowgate = FlowgateModule.forRootAsync({
      imports: [SettingsModule],
      inject: [Settings],
      useFactory: ({ serverName }: Settings) => ({ serverName }),
    });
    app = await startHost({ adapter: 'express', imports: [flowgate] });
    expect(await nameOfServer()).toBe('from-settings');
  });

  it('from an object of a class, made for that alone', async () => {
    Factory.made = 0;
    const flowgate = FlowgateModule.forRootAsync({ imports: [SettingsModule], useClass: Factory });
    app = await startHost({ adapter: 'express', imports: [flowgate, FactoryModule] });
    expect([await nameOfServer(), Factory.made]).toEqual(['from-settings', 2]);
  });

  it('from an object that the host has already', async () => {
    Factory.made = 0;
    const flowgate = FlowgateModule.forRootAsync({ imports: [FactoryModule], useExisting: Factory });
    app = await startHost({ adapter: 'express', imports: [flowgate, FactoryModule] });
    expect([await nameOfServer(), Factory.made]).toEqual(['from-settings', 1]);
  });

  it('from exactly one of them', () => {
    expect(() => FlowgateModule.forRootAsync({})).toThrow(
      /needs one of useFactory, useClass and useExisting/,
    );
    expect(() => FlowgateModule.forRootAsync({ useClass: Factory, useFactory: () => ({}) })).toThrow(
      /needs one of/,
    );
  });
});

it('an application without HTTP has the engine', async () => {
  const context = await NestFactory.createApplicationContext(FlowgateModule.forRoot(), { logger: false });
  const engine = context.get(Engine);
  await engine.workflows.register({ yaml: document('x', [mock('a')]) });
  expect((await engine.runs.start({ workflowId: 'x', sync: true })).status).toBe('completed');
  await context.close();
  expect(engine.isClosing).toBe(true);
});
