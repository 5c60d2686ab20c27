import { readdirSync, readFileSync } from 'node:fs';
import { startHosted } from '../support/hosted-service.js';
import { startService, type Service } from '../support/service.js';

const BUILT = 'dist/docs-guide';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

it('is led to, so that everything in it can be relative', async () => {
  const { status, headers } = await service.get('/docs/guide?from=mail');
  expect([status, headers.location]).toEqual([308, 'guide/?from=mail']);
});

it.each(['/docs/guide/', '/docs/guide/operate.html'])(
  'has the page at %s, under a policy without any text as script or style, and asked for each time',
  async (path) => {
    const { status, headers, text } = await service.get(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<main id="content"');
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  },
);

it('has every file of its pages at their addresses, kept for a year', async () => {
  const { text } = await service.get('/docs/guide/benchmarks.html');
  const names = [...text.matchAll(/ (?:src|data-index|href)="([^"#]+-[A-Z0-9]{8}\.\w+)"/g)].map(
    ([, name]) => name,
  );
  const types = new Set<string>();
  for (const name of names) {
    const { status, headers } = await service.get(`/docs/guide/${name}`);
    expect([name, status, headers['cache-control']]).toEqual([
      name,
      200,
      'public, max-age=31536000, immutable',
    ]);
    types.add(String(headers['content-type']).replace(/;.*/, ''));
  }
  expect([...types].toSorted()).toEqual(['application/json', 'image/svg+xml', 'text/css', 'text/javascript']);
});

it('does not send again what is had', async () => {
  const { headers } = await service.get('/docs/guide/');
  const again = await service.call('GET', '/docs/guide/', {
    headers: { 'if-none-match': headers.etag ?? '' },
  });
  expect([again.status, again.text]).toEqual([304, '']);
});

it.each(['none.html', 'index.html.gz', '..%2Findex.js', '%2e%2e', '__proto__', 'operate'])(
  'has no page %s',
  async (name) => {
    const { status, body } = await service.get(`/docs/guide/${name}`);
    expect([status, body.code]).toEqual([404, 'not-found']);
  },
);

it('is among the addresses of the service', async () => {
  expect((await service.get('/')).body).toMatchObject({ addresses: { guide: 'docs/guide/' } });
  const page = await service.call('GET', '/', { headers: { accept: 'text/html' } });
  expect(page.text).toContain('<a href="docs/guide/">');
});

it('leaves the page of the interface where it is', async () => {
  expect((await service.get('/docs')).text).toContain('swagger-ui');
  expect((await service.get('/docs/start.js')).status).toBe(200);
});

it('is of the service alone: a host has none', async () => {
  const host = await startHosted({});
  for (const path of ['/docs/guide', '/docs/guide/']) expect((await host.get(path)).status).toBe(404);
  await host.close();
});

describe('its pages', () => {
  const pages = readdirSync(BUILT).filter((name) => name.endsWith('.html'));
  const textOf = (name: string): string => readFileSync(`${BUILT}/${name}`, 'utf8');

  it('have no script, style or handler in them, and name nothing of another host to load', () => {
    expect(pages.length).toBeGreaterThan(30);
    for (const name of pages) {
      const text = textOf(name);
      expect([name, text.match(/<script(?! [^>]*src=)[^>]*>|<style|<[^>]+ (?:style|on\w+)="/g)]).toEqual([
        name,
        null,
      ]);
      expect([name, text.match(/<(?!a )[^>]+ (?:src|href|srcset|data)="(?:[a-z]+:)?\/\/[^>]*>/g)]).toEqual([
        name,
        null,
      ]);
    }
  });

  it('name every address relative to the folder', () => {
    const addresses = pages.flatMap((name) => [
      ...textOf(name).matchAll(/ (?:src|href|data-index)="([^"]*)"/g),
    ]);
    const rooted = addresses.map(([, address = '']) => address).filter((address) => address.startsWith('/'));
    expect([addresses.length > 1_000, rooted]).toEqual([true, []]);
  });
});
