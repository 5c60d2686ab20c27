/**
 * The levels that Nest logs are of the process, and other files set them.
 * @jest-environment node
 */
import {
  Catch,
  ForbiddenException,
  HttpException,
  UnauthorizedException,
  VersioningType,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
  type LoggerService,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import { ADAPTERS, startHost } from '../support/host.js';
import { serviceOf, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

let app: INestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

class NotSignedIn extends Error {}

/** Lets in callers with the password, and says why it refuses all others. */
class WordGuard implements CanActivate {
  constructor(
    private readonly refusal: () => Error | null = () => new UnauthorizedException('who are you?'),
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    if (headers['authorization'] === 'the word') return true;
    const refusal = this.refusal();
    if (refusal !== null) throw refusal;
    return false;
  }
}

/** The host's own form of errors, whatever its adapter is. */
@Catch()
class ProblemFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: unknown, context: ArgumentsHost): void {
    const status =
      error instanceof HttpException ? error.getStatus() : error instanceof NotSignedIn ? 401 : 500;
    const { httpAdapter } = this.host;
    const response: unknown = context.switchToHttp().getResponse();
    httpAdapter.setHeader(response, 'WWW-Authenticate', 'Bearer');
    httpAdapter.reply(response, { problem: status }, status);
  }
}

const PATHS = [
  ['GET', '/health'],
  ['GET', '/workflows'],
  ['POST', '/workflows/from-yaml'],
  ['POST', '/workflows/x/runs'],
  ['GET', '/workflows/x/runs/y'],
  ['POST', '/workflows/x/runs/y/resume'],
  ['POST', '/workflows/x/runs/y/hitl'],
  ['GET', '/memory/search?q=x'],
  ['POST', '/mcp'],
  ['GET', '/schemas/workflow.v1.json'],
] as const;

describe.each(ADAPTERS)('on %s', (adapter) => {
  let service: Service;
  async function host(setUp: (app: INestApplication) => unknown, prefix = '/flowgate'): Promise<void> {
    app = await startHost({ adapter, setUp });
    service = serviceOf(app, prefix);
  }

  it('a guard of the host refuses at every path, with its status and in our form, at the gateway too', async () => {
    await host((made) => made.useGlobalGuards(new WordGuard()));
    for (const [method, path] of PATHS) {
      const { status, body } = await service.call(method, path, {
        body: method === 'POST' ? '{' : undefined,
      });
      expect([path, status, body]).toMatchObject([path, 401, { error: 'who are you?' }]);
    }
    const { status } = await service.call('GET', '/workflows', { headers: { authorization: 'the word' } });
    expect(status).toBe(200);
  });

  it('a guard that only says no is a 403, at the gateway too', async () => {
    await host((made) => made.useGlobalGuards(new WordGuard(() => null)));
    for (const [method, path] of PATHS) expect((await service.call(method, path)).status).toBe(403);
  });

  it('a guard that fails is a 500 at the gateway, and no response of JSON-RPC', async () => {
    await host((made) => made.useGlobalGuards(new WordGuard(() => new NotSignedIn('a secret of the host'))));
    for (const path of ['/mcp', '/workflows/x/runs']) {
      const { status, body } = await service.post(path, {});
      expect([path, status, body]).toMatchObject([path, 500, { error: expect.stringContaining('its log') }]);
    }
  });

  it('where the host has filters, they handle what its guards throw, whatever that is', async () => {
    const withFilter = (refusal: () => Error) => (made: INestApplication) =>
      made
        .useGlobalFilters(new ProblemFilter(made.get(HttpAdapterHost)))
        .useGlobalGuards(new WordGuard(refusal));
    for (const refusal of [() => new ForbiddenException(), () => new NotSignedIn()]) {
      await host(withFilter(refusal));
      const expected = refusal() instanceof ForbiddenException ? 403 : 401;
      for (const [method, path] of PATHS) {
        const { status, body, headers } = await service.call(method, path);
        expect([path, status, body]).toEqual([path, expected, { problem: expected }]);
        expect(headers['www-authenticate']).toBe('Bearer');
      }
      await app?.close();
    }
  });

  it('where the host has filters, errors of ours keep our form', async () => {
    await host((made) => made.useGlobalFilters(new ProblemFilter(made.get(HttpAdapterHost))));
    expect((await service.post('/workflows/nobody/runs')).body.error).toBe('Unknown workflow: nobody');
    expect((await service.post('/mcp', '{')).body.error.code).toBe(-32_700);
    expect((await service.post('/workflows/from-yaml', '{')).body.error).toContain('not JSON');
  });

  it('an interceptor of the host sees our responses, and what it throws has its status', async () => {
    const wrap: NestInterceptor = {
      intercept: (_context: ExecutionContext, next: CallHandler): Observable<unknown> =>
        next.handle().pipe(map((data: unknown) => ({ data }))),
    };
    await host((made) => made.useGlobalInterceptors(wrap));
    expect((await service.get('/workflows')).body).toEqual({ data: { workflows: [], items: [] } });
    await app?.close();
    const refuse: NestInterceptor = {
      intercept: () => {
        throw new HttpException('not now', 429);
      },
    };
    await host((made) => made.useGlobalInterceptors(refuse));
    for (const [method, path] of PATHS) expect((await service.call(method, path)).status).toBe(429);
  });

  it('pipes of the host see no body of ours', async () => {
    const spoil: PipeTransform = {
      transform: (value: unknown, { type }) => (type === 'body' || type === 'custom' ? 'spoilt' : value),
    };
    await host((made) => made.useGlobalPipes(spoil));
    await service.register(document('x', [mock('a')]));
    expect((await service.start('x', { input: { n: '1' }, sync: true })).result?.state['n']).toBe('1');
  });

  it.each([
    ['a version in the path', { type: VersioningType.URI, defaultVersion: '3' }, {}],
    ['a version in a header', { type: VersioningType.HEADER, header: 'x-version' }, { 'x-version': '7' }],
    [
      'a version in the media type',
      { type: VersioningType.MEDIA_TYPE, key: 'v=' },
      { accept: 'application/json;v=2' },
    ],
  ] as const)('with %s our paths stay where they are', async (_what, versioning, headers) => {
    await host((made) => made.setGlobalPrefix('api').enableVersioning(versioning), '/api/flowgate');
    const yaml = document('x', [mock('a')]);
    expect((await service.post('/workflows/from-yaml', { yaml }, headers)).status).toBe(201);
    const run = await service.post('/workflows/x/runs', '{"sync":true}', {
      ...headers,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(run.body.status).toBe('completed');
  });

  it('a global prefix that leaves us out leaves us out', async () => {
    await host((made) => made.setGlobalPrefix('api', { exclude: ['flowgate/{*path}'] }));
    await service.register(document('x', [mock('a')]));
    expect((await service.start('x')).status).toBe('completed');
  });

  it('lines of ours go to the logger of the host', async () => {
    const lines: unknown[] = [];
    const keep = (...said: unknown[]) => void lines.push(said);
    const logger: LoggerService = { log: keep, warn: keep, error: keep, debug: keep };
    app = await startHost({ adapter, application: { logger } });
    service = serviceOf(app, '/flowgate');
    await service.register(document('x', [mock('a')]));
    const { runId } = await service.start('x');
    expect(JSON.stringify(lines)).toContain(runId);
  });

  it('ids are taken as they are written in the path', async () => {
    await host(() => undefined);
    for (const id of ['a/b', 'ä ö', '%', 'semi;colon', 'plus+']) {
      await service.register(document(id, [mock('a')]));
      expect((await service.start(id)).workflowId).toBe(id);
    }
    const malformed = await service.call('GET', '/workflows/%E0%A4/runs/x');
    expect(malformed.status).toBe(400);
  });

  it('long responses arrive whole', async () => {
    await host(() => undefined);
    await service.register(document('x', [mock('a')]));
    const text = 'é'.repeat(1_000_000);
    const run = await service.start('x', { input: { text }, sync: true });
    expect(run.result?.state['text']).toBe(text);
    expect((await service.run(run)).result?.state['text']).toBe(text);
    expect((await service.run(run)).result?.state['text']).toBe(text);
  });

  it('the schema is sent with its tag, and not again to a client that has it', async () => {
    await host(() => undefined);
    const { headers, body } = await service.get('/schemas/workflow.v1.json');
    expect([body.$schema, headers['content-type']]).toEqual([
      expect.stringContaining('json-schema'),
      'application/json; charset=utf-8',
    ]);
    const again = await service.call('GET', '/schemas/workflow.v1.json', {
      headers: { 'if-none-match': String(headers['etag']) },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('a call of a unit is refused where it would change something', async () => {
    await host(() => undefined);
    for (const path of ['/workflows/x/runs', '/mcp', '/workflows/from-yaml', '/workflows/x/runs/y/hitl']) {
      const { status } = await service.post(path, {}, { 'x-flowgate-run-id': 'r' });
      expect([path, status]).toEqual([path, 403]);
    }
  });
});
