import { readdirSync, readFileSync } from 'node:fs';
import { Module, UnauthorizedException, type CanActivate, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FlowgateModule, type FlowgateModuleOptions } from '../../src/index.js';
import { sendRaw } from '../support/raw-request.js';
import { serviceOf, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

const FOREIGN = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };

let app: INestApplication;
let service: Service;
afterEach(() => app.close());

async function hostWith(options: FlowgateModuleOptions, guard?: CanActivate): Promise<void> {
  @Module({ imports: [FlowgateModule.forRoot({ ...options, prefix: 'flows' })] })
  class HostModule {}
  app = await NestFactory.create(HostModule, { logger: false });
  if (guard !== undefined) app.useGlobalGuards(guard);
  await app.listen(0, '127.0.0.1');
  service = serviceOf(app, '/flows');
}

describe('in a host application', () => {
  it('the host decides about cross-origin requests, unless it asks us', async () => {
    await hostWith({});
    expect((await service.call('GET', '/health', { headers: { host: 'orders.example' } })).status).toBe(200);
    const { status } = await service.post(
      '/workflows/from-yaml',
      { yaml: document('x', [mock('a')]) },
      FOREIGN,
    );
    expect(status).toBe(201);
  });

  it('that asks us, pages of other origins are refused at every route, in our form', async () => {
    await hostWith({ webPages: { allowedOrigins: ['https://console.example'] } });
    for (const path of ['/workflows/from-yaml', '/workflows/x/runs', '/workflows/x/runs/y/hitl', '/mcp']) {
      const { status, body } = await service.post(path, '{}', FOREIGN);
      expect([path, status, body]).toEqual([path, 403, { error: expect.any(String), code: 'foreign-page' }]);
    }
    expect((await service.call('GET', '/health', { headers: { host: 'orders.example' } })).body.code).toBe(
      'foreign-host',
    );
    expect((await service.call('GET', '/health', { headers: FOREIGN })).status).toBe(200);
    expect(
      (await service.post('/mcp', { method: 'initialize' }, { origin: 'https://console.example' })).status,
    ).toBe(200);
    const { body } = await sendRaw(
      service.url,
      'GET /flows/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\nConnection: close\r\n\r\n',
    );
    expect(body.error).toContain('more than one Host');
  });

  it('a guard of the host refuses at the gateway with a status of its own', async () => {
    await hostWith(
      {},
      {
        canActivate: () => {
          throw new UnauthorizedException('who are you?');
        },
      },
    );
    const { status, body } = await service.post('/mcp', { method: 'initialize' });
    expect([status, body]).toEqual([401, { error: 'who are you?', code: 'unauthorized' }]);
  });
});

it('every controller of ours asks', async () => {
  await hostWith({});
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.controller.ts'),
  );
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    expect([file, readFileSync(`src/${file}`, 'utf8').includes('@UseGuards(WebPageGuard')]).toEqual([
      file,
      true,
    ]);
  }
});
