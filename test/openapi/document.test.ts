/**
 * What the document says of a host is kept for the process: other files have services, too.
 * @jest-environment node
 */
import { readFileSync } from 'node:fs';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import * as swagger from '@nestjs/swagger';
import { FlowgateModule, type FlowgateModuleOptions } from '../../src/index.js';
import { statusesOfCodes } from '../../src/errors/http-status.js';
import { openApiDocument } from '../../tools/openapi/document.mjs';
import { routesOf } from '../docs/support/routes.js';
import { startService } from '../support/service.js';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly headers?: object;
  readonly content?: Readonly<Record<string, { readonly schema: unknown }>>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Document;
const published = read('schemas/openapi.json');

/** The codes that a response says it can carry. */
function codesOf(response: Response | undefined): readonly string[] {
  const schema = JSON.stringify(response?.content ?? {});
  const [, codes = '[]'] = /"code":\{"enum":(\[[^\]]*\])/.exec(schema) ?? [];
  return JSON.parse(codes) as string[];
}

const operations = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

describe('schemas/openapi.json', () => {
  it.each([
    ['schemas/openapi.json', 'interface'],
    ['schemas/openapi.conventional.json', 'conventional'],
  ])('%s is what the service makes of itself: npm run openapi', async (file, statuses) => {
    const service = await startService({ FLOWGATE_STATUSES: statuses });
    const document = openApiDocument(service.app, swagger);
    await service.close();
    expect(JSON.parse(JSON.stringify(document))).toEqual(read(file));
  });

  it('has every route of the service but those that serve itself', async () => {
    const service = await startService();
    const routes = routesOf(service);
    await service.close();
    const described = operations(published).map(
      ({ path, method }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    const pages = [
      ...['', '/', '/settings.json', '/:name'].map((path) => `GET /console${path}`),
      ...['', '/:name'].map((path) => `GET /docs/guide${path}`),
    ];
    const own = ['GET /', 'GET /openapi.json', 'GET /docs', 'GET /docs/:file', ...pages];
    expect([...described, ...own].toSorted()).toEqual(routes.toSorted());
  });

  it('is of OpenAPI 3.1, and refers to nothing that is not in it', () => {
    expect(published.openapi).toBe('3.1.0');
    const named = [...JSON.stringify(published).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
      ([, name]) => name,
    );
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(published.components.schemas).toSorted());
  });

  it.each(operations(published))(
    'says of $method $path every refusal with its code',
    ({ operation, path, method }) => {
      const { responses } = operation;
      for (const status of ['400', '403', '405', '408', '417', '431', '500']) {
        expect([status, codesOf(responses[status])]).not.toEqual([status, []]);
      }
      const known = statusesOfCodes('interface');
      for (const [status, response] of Object.entries(responses)) {
        for (const code of codesOf(response)) {
          const isReadOrFault = status === '404' || (status === '500' && code === 'store');
          expect([code, isReadOrFault ? status : String(known.get(code))]).toEqual([code, status]);
        }
      }
      expect(responses['405']).toMatchObject({ headers: { Allow: {} } });
      const changes = method === 'post';
      expect(responses['413'] !== undefined).toBe(changes);
      if (changes) expect(responses['503']).toMatchObject({ headers: { 'Retry-After': {} } });
      const isKeyed = changes && /\/(?:runs|resume|hitl|cancel|pause|compensate|fork)$/.test(path);
      const headers = operation.parameters
        .filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name);
      expect(headers.includes('Idempotency-Key')).toBe(isKeyed);
    },
  );

  it('moves what is unknown where the conventional statuses have it, and nothing else', () => {
    const conventional = read('schemas/openapi.conventional.json');
    const moved = operations(published).flatMap(({ path, method, operation }) => {
      const other = conventional.paths[path]?.[method]?.responses ?? {};
      return [404, 409, 500].flatMap((status) =>
        codesOf(other[status])
          .filter((code) => !codesOf(operation.responses[status]).includes(code))
          .map((code) => `${code} ${status}`),
      );
    });
    expect([...new Set(moved)].toSorted()).toEqual([
      'no-checkpoint 409',
      'run-over 409',
      'unknown-run 404',
      'unknown-workflow 404',
    ]);
  });
});

@Controller('orders')
class OrdersController {
  @Get()
  list(): readonly string[] {
    return [];
  }
}

async function documentOfHost(options: FlowgateModuleOptions = {}): Promise<Document> {
  @Module({
    imports: [FlowgateModule.forRoot({ ...options, prefix: 'flows' })],
    controllers: [OrdersController],
  })
  class Host {}
  const app = await NestFactory.create(Host, { logger: false });
  app.setGlobalPrefix('api');
  await app.init();
  const about = new swagger.DocumentBuilder().setTitle('Orders').setOpenAPIVersion('3.1.0').build();
  const document = swagger.SwaggerModule.createDocument(app, about);
  await app.close();
  return document as unknown as Document;
}

describe('the document of a host', () => {
  it('has our operations under its prefix next to its own, as they are in ours', async () => {
    const document = await documentOfHost();
    expect(document.paths['/api/orders']).toBeDefined();
    for (const { path, method, operation } of operations(published)) {
      const { operationId: _ours, ...expected } = operation;
      expect(document.paths[`/api/flows${path}`]?.[method]).toMatchObject(expected);
    }
    expect(document.components.schemas).toEqual(published.components.schemas);
    expect(document.paths['/api/flows/docs']).toBeUndefined();
  });

  it('shows the statuses that the host configured', async () => {
    const { responses } = (await documentOfHost({ statuses: 'conventional' })).paths[
      '/api/flows/workflows/{id}/runs'
    ]!['post']!;
    expect([codesOf(responses['404']), codesOf(responses['500'])]).toEqual([
      expect.arrayContaining(['unknown-workflow']),
      expect.not.arrayContaining(['unknown-workflow']),
    ]);
  });
});
