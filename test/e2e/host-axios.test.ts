import { HttpModule, HttpService } from '@nestjs/axios';
import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  FlowgateModule,
  type FlowgateModuleAsyncOptions,
  type FlowgateModuleOptions,
} from '../../src/index.js';
import { serviceOf } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, remote } from '../support/workflow-documents.js';

let unit: UnitServer;
let app: INestApplication | null = null;

beforeEach(async () => {
  unit = await startUnitServer({ body: { content: 'ok' } });
});
afterEach(async () => {
  await app?.close();
  await unit.close();
});

const HostHttp = HttpModule.register({ headers: { 'X-Host': 'yes' } });

/** A host with axios of its own, which marks every call that goes through it; Flowgate's options receive it. */
async function hostWith(options: (http: HttpService) => FlowgateModuleOptions): Promise<HttpService> {
  const source: FlowgateModuleAsyncOptions = {
    imports: [HostHttp],
    inject: [HttpService],
    useFactory: (http: HttpService) => options(http),
  };
  @Module({ imports: [HostHttp, FlowgateModule.forRootAsync(source)] })
  class HostModule {}
  app = await NestFactory.create(HostModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  const http = app.get(HttpService);
  http.axiosRef.interceptors.request.use((config) => {
    config.headers.set('X-Intercepted', config.url ?? '');
    return config;
  });
  return http;
}

async function runRemote(binding: object = {}) {
  const service = serviceOf(app!, '/flowgate');
  const yaml = document('remote', [remote('extract')], { policy: { retry: { maxAttempts: 1 } } });
  await service.register(yaml, bound('extract', `${unit.url}/unit`, binding));
  return service.start('remote', { sync: true });
}

describe('a Nest host', () => {
  it('that passes its HttpService has its interceptors run for every call of a unit', async () => {
    await hostWith((http) => ({ axios: http }));
    expect((await runRemote({ headers: { 'X-Team': 'finance' } })).status).toBe('completed');
    expect(unit.requests[0]!.headers).toMatchObject({
      'x-intercepted': `${unit.url}/unit`,
      'x-host': 'yes',
      'x-team': 'finance',
      'x-flowgate-unit-id': 'extract',
    });
  });

  it('that does so has responses refused, bounded and masked as without', async () => {
    await hostWith((http) => ({ http, deniedAddresses: ['127.0.0.1'], maxResponseBytes: 1_000 }));
    expect(await runRemote().catch((error: unknown) => String(error))).toMatch(/FLOWGATE_DENIED_ADDRESSES/);
    await app!.close();

    await hostWith((http) => ({ http, maxResponseBytes: 1_000 }));
    unit.answer({ body: { content: 'x'.repeat(2_000) } });
    expect((await runRemote()).error).toMatch(/larger than 1000 bytes/);
    unit.answer(({ headers }) => ({ body: { content: headers.authorization } }));
    const { result } = await runRemote({ headers: { Authorization: 'Bearer s3cret-t0ken' } });
    expect(result?.state).toEqual({ 'output.extract': '***' });
  });

  it('that passes options of an HttpModule has its units called through an axios with these', async () => {
    await hostWith(() => ({ axios: { headers: { 'X-Of-Units': 'yes' } } }));
    expect((await runRemote()).status).toBe('completed');
    expect(unit.requests[0]!.headers).toMatchObject({ 'x-of-units': 'yes' });
    expect(unit.requests[0]!.headers['x-intercepted']).toBeUndefined();
  });

  it('that passes nothing has its units called without its axios', async () => {
    await hostWith(() => ({}));
    expect((await runRemote()).status).toBe('completed');
    expect(unit.requests[0]!.headers).not.toHaveProperty('x-intercepted');
    expect(unit.requests[0]!.headers).not.toHaveProperty('x-host');
  });

  it('that passes a transport of its own has its units called by that', async () => {
    const transport = {
      post: () => Promise.resolve({ kind: 'response', status: 200, headers: {}, body: '"own"' } as const),
      close: () => Promise.resolve(),
    };
    await hostWith((http) => ({ http, transport }));
    expect((await runRemote()).result?.state).toEqual({ 'output.extract': 'own' });
    expect(unit.requests).toHaveLength(0);
  });
});
