/**
 * It asks what is loaded.
 * @jest-environment node
 */
import { readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { startHosted } from '../support/hosted-service.js';
import { startService, type Service } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('GET /openapi.json', () => {
  it('is the published document, and 304 for who has it', async () => {
    const { status, text, headers } = await service.get('/openapi.json');
    expect([status, text]).toEqual([200, readFileSync('schemas/openapi.json', 'utf8')]);
    expect(headers['content-type']).toMatch(/^application\/json/);
    const again = await service.call('GET', '/openapi.json', {
      headers: { 'if-none-match': headers.etag ?? '' },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('follows the statuses', async () => {
    const conventional = await startService({ FLOWGATE_STATUSES: 'conventional' });
    const { text } = await conventional.get('/openapi.json');
    await conventional.close();
    expect(text).toBe(readFileSync('schemas/openapi.conventional.json', 'utf8'));
  });
});

describe('GET /', () => {
  it('leads a program on: all its addresses are served here', async () => {
    const { status, body } = await service.get('/');
    const { name, addresses } = body as { name: string; addresses: Record<string, string> };
    expect([status, name]).toEqual([200, 'flowgate']);
    expect(Object.keys(addresses)).toEqual(expect.arrayContaining(['docs', 'openapi', 'workflows', 'runs']));
    for (const [what, address] of Object.entries(addresses)) {
      const found = await service.get(new URL(address, `${service.url}/`).pathname);
      // A browser or program without a session is told how to speak to agents' address.
      expect([what, found.status]).toEqual([what, what === 'mcp' ? 405 : 200]);
    }
  });

  it('is a page for a browser, which loads nothing and whose links are served here', async () => {
    const { status, text, headers } = await service.call('GET', '/', {
      headers: { accept: 'text/html,*/*' },
    });
    expect([status, headers['content-type'], headers['vary']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).not.toMatch(/<script|<style|https?:/);
    for (const [, link] of text.matchAll(/<a href="([^"]+)"/g))
      expect([link, (await service.get(`/${link}`)).status]).toEqual([link, 200]);
  });
});

describe('GET /docs', () => {
  it.each([
    ['/docs', ''],
    ['/docs/', ''],
    ['/docs?x=1', ''],
  ])('at %s is a page whose every address is served here', async (path) => {
    const { status, text, headers } = await service.get(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const addresses = [...text.matchAll(/(?:src|href|data-document)="([^"#]+)"/g)].map(
      ([, address]) => address ?? '',
    );
    const local = addresses.filter((address) => !address.startsWith('data:'));
    expect(local.length).toBeGreaterThan(3);
    for (const address of local) {
      const { pathname, origin } = new URL(address, `${service.url}${path}`);
      expect(origin).toBe(service.url);
      const found = await service.get(pathname);
      expect([pathname, found.status]).toEqual([pathname, 200]);
      expect(found.headers['content-type']).toMatch(/^(text\/css|text\/javascript|application\/json)/);
    }
  });

  it('lets nothing in from elsewhere, and no script that is inside a page', async () => {
    const { headers, text } = await service.get('/docs');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(text).not.toMatch(/<script>|<style>| on\w+=| style=|https?:/);
  });

  it('has no other files', async () => {
    for (const name of ['index.html', 'swagger-ui.js', '..%2Fpackage.json', '__proto__']) {
      const { status, body } = await service.get(`/docs/${name}`);
      expect([name, status, body.code]).toEqual([name, 404, 'not-found']);
    }
  });
});

it('in a host there is none of them: its front page and its document are its own', async () => {
  const host = await startHosted({});
  for (const path of ['/', '/openapi.json', '/docs']) expect((await host.get(path)).status).toBe(404);
  await host.close();
});

it('nothing of @nestjs/swagger is loaded to describe, to serve or to show', async () => {
  const loaded: string[] = [];
  jest.unstable_mockModule('@nestjs/swagger', () => {
    loaded.push('@nestjs/swagger');
    return {};
  });
  const own = await startService();
  for (const path of ['/openapi.json', '/docs', '/docs/start.js']) await own.get(path);
  await own.close();
  expect(loaded).toEqual([]);
  await import('@nestjs/swagger');
  expect(loaded).toEqual(['@nestjs/swagger']);
});
