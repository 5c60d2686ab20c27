import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Catch,
  Controller,
  Get,
  Injectable,
  Module,
  ValidationPipe,
  type ArgumentsHost,
  type ExceptionFilter,
  type INestApplication,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Response } from 'express';
import {
  Engine,
  FlowgateModule,
  SqliteMemoryIndex,
  SqliteRunStore,
  type FlowgateModuleAsyncOptions,
} from '../../src/index.js';
import { builtWorkers } from '../support/built-worker.js';
import { serviceOf, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

/** A host’s own format of errors. */
@Catch()
class TeapotFilter implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ teapot: true });
  }
}

/** A host's own code that uses the engine. */
@Injectable()
class Greeter {
  constructor(readonly engine: Engine) {}
}

@Controller('hello')
class HelloController {
  @Get()
  hello(): never {
    throw new Error('of the host');
  }
}

@Module({ providers: [Greeter], controllers: [HelloController] })
class GreeterModule {}

async function hostWith(options: Partial<FlowgateModuleAsyncOptions>): Promise<INestApplication> {
  const flowgate = FlowgateModule.forRootAsync({ useFactory: () => ({}), global: true, ...options });
  @Module({ imports: [flowgate, GreeterModule] })
  class HostModule {}
  const app = await NestFactory.create(HostModule, { logger: false });
  app.useGlobalPipes(
    new ValidationPipe({
      transform: true,
      transformOptions: { enableImplicitConversion: true },
      whitelist: true,
      forbidNonWhitelisted: true,
      validateCustomDecorators: true,
    }),
  );
  app.useGlobalFilters(new TeapotFilter());
  app.setGlobalPrefix('api');
  await app.listen(0, '127.0.0.1');
  return app;
}

describe('Flowgate in a host with a global prefix, a converting pipe and a filter of its own', () => {
  let app: INestApplication;
  let service: Service;

  beforeAll(async () => {
    app = await hostWith({ prefix: 'flows' });
    service = serviceOf(app, '/api/flows');
    app.get(Greeter).engine.registerUnit('host.greet', ({ input }) => ({ content: input }));
    await service.register(
      document('greeting', [{ id: 'greet', uses: 'host.greet' }, gate('agree'), mock('c')]),
    );
  });
  afterAll(() => app.close());

  const start = (body: unknown) => service.post('/workflows/greeting/runs', body);

  it('runs units that the host registered', async () => {
    const input = { toJSON: 'x', name: 'Ada', nested: { list: [{ n: '1' }] } };
    const { status, body } = await start({ input, sync: true });
    expect([status, body.status]).toEqual([202, 'paused']);
    expect(body.result.state).toEqual({ ...input, 'output.greet': input });
  });

  it('serves the schema below the prefix, and accepts a document as the body past the parsers of the host', async () => {
    const { status, text } = await service.get('/schemas/workflow.v1.json');
    expect([status, text]).toEqual([200, readFileSync('schemas/workflow.v1.schema.json', 'utf8')]);
    const headers = { 'content-type': 'application/yaml' };
    const direct = await service.post('/workflows/from-yaml', document('direct', [mock('a')]), headers);
    expect([direct.status, direct.body.workflowId]).toEqual([201, 'direct']);
  });

  it('converts nothing', async () => {
    const { body } = await start({ sync: true });
    const path = `/workflows/greeting/runs/${body.runId}`;
    const refused = await service.post(`${path}/hitl`, { approved: 'false' });
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining('approved')]);
    expect((await start({ sync: 'true' })).status).toBe(400);
    expect((await start({ input: '{}' })).status).toBe(400);
    expect((await service.get('/memory/search?q=x&topK=true')).status).toBe(400);
  });

  it('ignores unknown fields that the host’s pipe would refuse', async () => {
    expect((await start({ sync: true, colour: 'red' })).status).toBe(202);
  });

  it('answers errors in our form', async () => {
    expect(await service.post('/workflows/nobody/runs')).toMatchObject({
      status: 500,
      body: { error: 'Unknown workflow: nobody' },
    });
    expect(await service.get('/workflows/greeting/runs/x')).toMatchObject({
      status: 404,
      body: { error: 'Unknown run: x' },
    });
    expect((await service.post('/workflows/from-yaml', {})).body.error).toMatch(/body\.yaml/);
  });

  it('speaks JSON-RPC', async () => {
    const { body } = await service.post('/mcp', { id: 1, method: 'tools/call', params: { name: 'x' } });
    expect(body.error.code).toBe(-32601);
  });

  it('reads bodies that the host’s parsers leave alone', async () => {
    const { status } = await service.post('/workflows/greeting/runs', '{"sync":true}', {
      'content-type': 'text/plain',
    });
    expect(status).toBe(202);
  });

  it('leaves the host’s own errors to the host', async () => {
    expect((await serviceOf(app, '/api').get('/hello')).body).toEqual({ teapot: true });
    expect((await serviceOf(app, '/api').get('/nothing')).status).toBe(418);
  });
});

it('makes one engine from one call of the factory, and gives it to the whole host when it is global', async () => {
  let calls = 0;
  const app = await hostWith({
    useFactory: () => {
      calls += 1;
      return { apiGroups: ['acme', 'flowgate'] };
    },
  });
  const service = serviceOf(app, '/api/flowgate');
  await service.register(document('x', [mock('a')]).replace('flowgate/v1', 'acme/v1'));
  expect(await app.get(Greeter).engine.workflows.has('x')).toBe(true);
  expect(calls).toBe(1);
  await app.close();
});

it('closes the engine with the host', async () => {
  const app = await hostWith({});
  const { engine } = app.get(Greeter);
  await app.close();
  expect(engine.isClosing).toBe(true);
});

it('works without options, and is not global by default', async () => {
  @Module({ imports: [FlowgateModule.forRoot(), GreeterModule] })
  class HostModule {}
  await expect(NestFactory.create(HostModule, { logger: false, abortOnError: false })).rejects.toThrow(
    /Greeter/,
  );
});

describe('a host with a SQLite store', () => {
  it('finds its paused runs again after it was closed and made again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'flowgate-host-'));
    const workers = builtWorkers;
    const start = () =>
      hostWith({
        useFactory: () => ({
          store: new SqliteRunStore({ folder, workers }),
          memory: new SqliteMemoryIndex({ folder, workers }),
        }),
      });
    let app = await start();
    let service = serviceOf(app, '/api/flowgate');
    const workflowId = await service.register(document('kept', [gate('agree')]));
    const { runId } = await service.start(workflowId);
    await app.close();

    app = await start();
    service = serviceOf(app, '/api/flowgate');
    const run = `/workflows/${workflowId}/runs/${runId}`;
    expect((await service.get(run)).body).toMatchObject({ status: 'paused' });
    expect((await service.post(`${run}/hitl`, { approved: true })).body).toMatchObject({
      status: 'completed',
    });
    await app.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
});
