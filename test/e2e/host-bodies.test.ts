import type { INestApplication } from '@nestjs/common';
import { Body, Controller, Post, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import express from 'express';
import { FlowgateModule } from '../../src/index.js';
import { ADAPTERS, startHost, startHostService } from '../support/host.js';
import { serviceOf, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

const MIB = 1024 * 1024;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** A controller of the host that reads bodies its own way, which must stay as it was. */
@Controller('orders')
class OrdersController {
  @Post()
  take(@Body() body: unknown, @Req() request: { rawBody?: Buffer }): unknown {
    return { body: body ?? null, raw: request.rawBody?.toString() ?? null };
  }
}

let app: INestApplication | undefined;
let service: Service;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function host(
  adapter: (typeof ADAPTERS)[number],
  options: Partial<Parameters<typeof startHost>[0]> = {},
): Promise<void> {
  service = await startHostService({ adapter, controllers: [OrdersController], ...options });
  app = service.app;
  if (options.setUp === undefined) await service.register(document('echo', [mock('a')]));
}

const start = (body: unknown, headers?: Record<string, string>) =>
  service.post('/workflows/echo/runs', body, headers);

describe.each(ADAPTERS)('in a host on %s', (adapter) => {
  it('a document of 200 KB and a body of nearly 8 MiB are read; one beyond is refused with 413 in our form', async () => {
    await host(adapter);
    const long = `# ${'x'.repeat(200_000)}\n${document('long', [mock('a')])}`;
    expect((await service.post('/workflows/from-yaml', { yaml: long })).status).toBe(201);
    const input = { text: 'y'.repeat(8 * MIB - 2_000) };
    const run = await start({ input, sync: true });
    expect([run.status, run.body.status]).toEqual([202, 'completed']);
    const beyond = await start({ input: { text: 'y'.repeat(8 * MIB) } });
    expect([beyond.status, beyond.body.error]).toEqual([413, expect.stringContaining('8388608 bytes')]);
  });

  it('a body is read whatever its content type says', async () => {
    await host(adapter);
    const types = ['application/json', 'text/plain', 'nonsense', 'application/x-www-form-urlencoded'];
    for (const type of [...types, 'application/vnd.acme+json; charset=utf-8']) {
      const { status, body } = await start('{"input":{"n":1.0},"sync":true}', { 'content-type': type });
      expect([type, status, body.result?.state.n]).toEqual([type, 202, 1]);
    }
    const untyped = await service.call('POST', '/workflows/echo/runs', {
      body: '{"sync":true}',
      headers: { 'content-type': '' },
    });
    expect([untyped.status, untyped.body.status]).toEqual([202, 'completed']);
  });

  it('an empty body is an empty object, whatever its content type says', async () => {
    await host(adapter);
    for (const type of ['application/json', 'text/plain', ...Object.values(FORM), 'multipart/form-data']) {
      expect([type, (await start('', { 'content-type': type })).status]).toEqual([type, 202]);
    }
    expect((await service.call('POST', '/workflows/echo/runs')).status).toBe(202);
  });

  it('a document is accepted as the body itself', async () => {
    await host(adapter);
    const headers = { 'content-type': 'application/yaml' };
    const { status, body } = await service.post('/workflows/from-yaml', document('y', [mock('a')]), headers);
    expect([status, body.workflowId]).toEqual([201, 'y']);
  });

  it('broken JSON is refused in our form, and at the gateway in that of JSON-RPC', async () => {
    await host(adapter);
    expect(await start('{"sync":')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('not JSON') },
    });
    const { status, body } = await service.post('/mcp', '{"id":1,');
    expect([status, body.error.code, body.id]).toEqual([200, -32_700, null]);
  });

  it('the id of a call is echoed with the digits that were sent', async () => {
    await host(adapter);
    const { text } = await service.post('/mcp', '{"id":10000000000000000001,"method":"initialize"}');
    expect(text).toContain('"id":10000000000000000001');
  });

  it('the bodies of the host itself are read as before, with their raw bytes where it asked for them', async () => {
    await host(adapter, { application: { rawBody: true } });
    const ofHost = serviceOf(app!);
    const json = await ofHost.post('/orders', '{"a": 1}');
    expect(json.body).toEqual({ body: { a: 1 }, raw: '{"a": 1}' });
    const form = await ofHost.post('/orders', 'a=1&b=2', FORM);
    expect(form.body).toEqual({ body: { a: '1', b: '2' }, raw: 'a=1&b=2' });
    expect((await ofHost.post('/orders', '{"a":')).status).toBe(400);
    expect((await start({ sync: true })).body.status).toBe('completed');
  });

  it('a parser that the host sets up later, with another limit, gets none of our bodies', async () => {
    await host(adapter, {
      setUp: (made) => {
        if (adapter === 'express') {
          (made as NestExpressApplication).useBodyParser('json', { limit: 10 });
          (made as NestExpressApplication).use(express.urlencoded({ extended: true }));
        } else {
          (made as NestFastifyApplication).useBodyParser('application/json', { bodyLimit: 10 });
        }
      },
    });
    await service.register(document('echo', [mock('a')]));
    expect((await start('{"sync":true}', FORM)).body.status).toBe('completed');
    expect((await serviceOf(app!).post('/orders', { long: 'enough' })).status).toBe(413);
  });

  it('under a global prefix with exceptions, and a version in the path, our routes are still known', async () => {
    await host(adapter, { setUp: (made) => made.setGlobalPrefix('api') });
    service = serviceOf(app!, '/api/flowgate');
    await service.register(document('echo', [mock('a')]));
    expect((await start('{"sync":true}', FORM)).body.status).toBe('completed');
    expect((await serviceOf(app!).post('/api/orders', 'a=1', FORM)).body.body).toEqual({ a: '1' });
  });
});

describe('a body that a parser of the host has read all the same', () => {
  /** Starts a host that brings an Express of its own, with parsers in it. */
  async function hostBehind(...parsers: express.RequestHandler[]): Promise<void> {
    const server = express();
    for (const parser of parsers) server.use(parser);
    app = await NestFactory.create(FlowgateModule.forRoot(), new ExpressAdapter(server), {
      logger: false,
      abortOnError: false,
    });
    await app.listen(0, '127.0.0.1');
    service = serviceOf(app, '/flowgate');
  }

  it('is accepted where it is JSON', async () => {
    await hostBehind(express.json());
    await service.register(document('echo', [mock('a')]));
    const { body } = await start({ input: { n: 1 }, sync: true });
    expect(body.result.state.n).toBe(1);
    expect((await service.post('/mcp', { id: 7, method: 'initialize' })).body.id).toBe(7);
  });

  it('is accepted where it is a text or bytes', async () => {
    await hostBehind(express.text({ type: '*/*' }));
    await service.register(document('echo', [mock('a')]));
    await service.post('/workflows/from-yaml', document('y', [mock('a')]), {
      'content-type': 'application/yaml',
    });
    expect((await start('{"sync":true}', FORM)).body.status).toBe('completed');
    expect((await service.get('/workflows')).body.workflows).toEqual(['echo', 'y']);
    await app?.close();
    await hostBehind(express.raw({ type: '*/*' }));
    await service.register(document('echo', [mock('a')]));
    expect((await start('{"sync":true}', FORM)).body.status).toBe('completed');
  });

  it('is refused with 415 where it was parsed as a form, and starts nothing', async () => {
    await hostBehind(express.json(), express.urlencoded({ extended: true }));
    await service.register(document('echo', [mock('a')]));
    const { status, body } = await start('{"input":{"n":1}}', FORM);
    expect([status, body.error]).toEqual([415, expect.stringContaining('application/x-www-form-urlencoded')]);
    expect(body.error).toContain('application/json');
    const called = await service.post('/mcp', '{"id":1,"method":"initialize"}', FORM);
    expect([called.status, called.body.error.code]).toEqual([200, -32_600]);
    expect((await start('', FORM)).status).toBe(202);
  });

  it('is refused with 415 where nothing is left of it', async () => {
    await hostBehind((request, _response, next) => {
      request.on('end', next).resume();
    });
    const { status } = await service.post('/workflows/from-yaml', { yaml: document('x', [mock('a')]) });
    expect(status).toBe(415);
  });
});

it('inject of Fastify reaches our routes too', async () => {
  await host('fastify');
  const answer = await (app as NestFastifyApplication).inject({
    method: 'POST',
    url: '/flowgate/workflows/echo/runs',
    payload: '{"sync":true}',
    headers: FORM,
  });
  expect([answer.statusCode, answer.json()]).toMatchObject([202, { status: 'completed' }]);
});
