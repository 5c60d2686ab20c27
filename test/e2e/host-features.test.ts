import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  Injectable,
  Module,
  type DynamicModule,
  type LoggerService,
  type OnModuleInit,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Engine, Flowgate, FlowgateModule, Unit, type FeatureOptions } from '../../src/index.js';
import { inSequence } from '../support/engine.js';

@Injectable()
class Orders {
  @Unit('orders.count')
  count(): number {
    return 3;
  }
}

const counting = (id: string) => inSequence(id, [{ id: 'count', uses: 'orders.count' }]);

async function hostOf(
  features: readonly FeatureOptions[],
  root: object = {},
  more: readonly DynamicModule[] = [],
  logger: LoggerService | false = false,
) {
  @Module({ imports: features.map((feature) => FlowgateModule.forFeature(feature)), providers: [Orders] })
  class OrdersModule {}
  // The feature is imported before the instance that it is for: the order of imports does not matter.
  @Module({ imports: [OrdersModule, ...more, FlowgateModule.forRoot({ global: true, ...root })] })
  class AppModule {}
  const app = await NestFactory.create(AppModule, { logger, abortOnError: false });
  try {
    return await app.init();
  } catch (error) {
    await app.close();
    throw error;
  }
}

const messageOf = (features: readonly FeatureOptions[], root?: object) =>
  hostOf(features, root).then(
    () => null,
    (error: Error) => error.message,
  );

describe('a feature of the host', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'flowgate-features-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('provides workflows as text, object, path and URL', async () => {
    for (const id of ['path', 'url']) writeFileSync(join(folder, `${id}.yaml`), counting(id));
    const path = relative(process.cwd(), join(folder, 'path.yaml'));
    const url = pathToFileURL(join(folder, 'url.yaml'));
    const text = counting('text').replaceAll(',', ',\n');
    const workflows = [text, counting('line'), JSON.parse(counting('object')) as object, path, url];
    const app = await hostOf([{ workflows }]);
    const flowgate = app.get(Flowgate);
    expect((await flowgate.list()).map(({ workflowId }) => workflowId)).toEqual([
      'text',
      'line',
      'object',
      'path',
      'url',
    ]);
    const { result } = await flowgate.start('path', {}, { sync: true });
    expect(result!.state).toEqual({ 'output.count': 3 });
    await app.close();
  });

  it('binds the units that are no code of the host', async () => {
    const bindings = { 'far.away': { type: 'http', endpoint: 'http://127.0.0.1:1/' } };
    const workflows = [inSequence('far', [{ id: 'u', uses: 'far.away' }]), counting('near')];
    const app = await hostOf([{ workflows, bindings }]);
    expect(await app.get(Engine).workflows.has('far')).toBe(true);
    await app.close();
  });

  it('is registered after the host’s own units, and before the folder of workflows, which replaces it', async () => {
    @Injectable()
    class Late implements OnModuleInit {
      constructor(private readonly engine: Engine) {}

      async onModuleInit(): Promise<void> {
        await new Promise((resolve) => setImmediate(resolve));
        this.engine.registerUnit('late', () => 1);
      }
    }
    @Module({ providers: [Late] })
    class LateModule {}
    const own = mkdtempSync(join(folder, 'own-'));
    writeFileSync(join(own, 'both.yaml'), counting('both'));
    const workflows = [inSequence('both', [{ id: 'from-feature', uses: 'late' }])];
    const app = await hostOf([{ workflows }], { workflowsDir: own }, [{ module: LateModule }]);
    expect((await app.get(Flowgate).list()).map(({ units }) => units)).toEqual([['count']]);
    await app.close();
  });

  it('and the folder of workflows may call each other’s: only what neither of them is, is warned of', async () => {
    const calling = (id: string, child: string) =>
      inSequence(id, [{ id: 'child', uses: 'builtin.workflow', config: { workflowId: child } }]);
    const own = mkdtempSync(join(folder, 'own-'));
    writeFileSync(join(own, 'there.yaml'), counting('there'));
    writeFileSync(join(own, 'to-the-module.yaml'), calling('to-the-module', 'here'));
    const workflows = [calling('to-the-folder', 'there'), calling('to-nobody', 'nobody'), counting('here')];
    const warned: string[] = [];
    const ignore = (): void => undefined;
    const logger = {
      log: ignore,
      error: ignore,
      warn: (message: string, of: string) => void (of === 'Workflows' && warned.push(message)),
    };
    const app = await hostOf([{ workflows }], { workflowsDir: own }, [], logger);
    expect(warned).toEqual([
      expect.stringMatching(
        /^workflows\[1\] of forFeature in OrdersModule: .* the workflow nobody, which is not/,
      ),
    ]);
    await app.close();
  });

  it('stops the start with every fault of every document', async () => {
    const said = await messageOf([
      {
        workflows: [
          inSequence('a', [{ id: 'x', uses: 'nobody' }]),
          '{ not: a workflow }',
          'no/such/file.yaml',
          folder,
          7 as never,
        ],
      },
      { workflows: [counting('fine')], bindings: { 'orders.count': { type: 'ftp', endpoint: 'x' } } },
    ]);
    for (const part of [
      'workflows[0] of forFeature in OrdersModule: The workflow cannot be loaded',
      'nobody',
      'workflows[1] of forFeature in OrdersModule: The workflow is not valid',
      'no/such/file.yaml of forFeature in OrdersModule: there is no file ',
      'is a folder: name the files in it',
      'workflows[4] of forFeature in OrdersModule: it must be a document',
      'bindings["orders.count"].type',
    ]) {
      expect(said).toContain(part);
    }
  });

  it('may not provide an id that another one has', async () => {
    expect(await messageOf([{ workflows: [counting('twice')] }, { workflows: [counting('twice')] }])).toBe(
      'workflows[0] of forFeature in OrdersModule: the workflow twice is in workflows[0] of forFeature in OrdersModule as well: leave one of them out',
    );
  });

  it('says when the instance that it is for does not exist', async () => {
    expect(await messageOf([{ workflows: [], name: 'other' }])).toContain(
      'forFeature in OrdersModule is for the Flowgate named "other", and there is none: import FlowgateModule.forRoot({ name: "other" })',
    );
  });
});
