import { readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { startService, type Service } from '../support/service.js';

/** What Express's application does with each request that it is given. */
interface Application {
  handle(...given: unknown[]): void;
}

const { paths } = JSON.parse(readFileSync('schemas/openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
};
/** Those of the document, and those of the page that shows it. */
const routes: readonly (readonly [method: string, path: string])[] = [
  ...Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x')] as const),
  ),
  ['GET', '/'],
  ['GET', '/openapi.json'],
  ['GET', '/docs'],
  ['GET', '/docs/x'],
  ['GET', '/docs/guide'],
  ['GET', '/docs/guide/x'],
];

let service: Service;
let entered: jest.SpiedFunction<Application['handle']>;

beforeAll(async () => {
  service = await startService();
  entered = jest.spyOn(service.app.getHttpAdapter().getInstance() as Application, 'handle');
});
beforeEach(() => entered.mockClear());
afterAll(() => service.close());

/** With another Nest or Express all requests might be served by Express, which no other test would notice. */
describe('a path that is written as its route', () => {
  it.each(routes)('%s %s: Express is not entered', async (method, path) => {
    await service.call(method, path);
    expect(entered).not.toHaveBeenCalled();
  });
});

describe('any other path', () => {
  it.each([
    ['GET', '/Health'],
    ['GET', '/health/'],
    ['HEAD', '/health'],
    ['PUT', '/health'],
    ['GET', '/nothing'],
  ])('%s %s: Express has its say', async (method, path) => {
    await service.call(method, path);
    expect(entered).toHaveBeenCalledTimes(1);
  });
});
