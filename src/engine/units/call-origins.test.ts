import fc from 'fast-check';
import { CallOrigins } from './call-origins.js';

const originOf = (uses: string, config: object = {}, endpoint?: string): string =>
  new CallOrigins().originOf(
    { uses, config: config as Record<string, string> },
    endpoint === undefined ? undefined : { endpoint },
  );

describe('the origin of what a unit calls', () => {
  it.each([
    ['units.extract', {}, undefined, 'in-process'],
    ['builtin.mock', {}, undefined, 'builtin'],
    ['builtin.memory-search', {}, undefined, 'builtin'],
    ['units.extract', {}, 'https://API.example.com/units/extract?v=1', 'https://api.example.com'],
    ['units.extract', {}, 'http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
    ['units.extract', {}, 'http://[::1]:9000/x', 'http://[::1]:9000'],
    ['units.extract', {}, 'https://ann:secret@api.example.com:443/x', 'https://api.example.com'],
    ['builtin.http', { endpoint: 'https://a.example/x' }, 'https://b.example', 'https://a.example'],
    ['builtin.http', {}, 'https://b.example', 'https://b.example'],
    ['builtin.mcp', { url: 'https://tools.example/mcp' }, undefined, 'https://tools.example'],
    ['builtin.http', { endpoint: 'https://a.example/items/${{ input.id }}' }, undefined, 'https://a.example'],
    ['builtin.http', { endpoint: 'https://a.example?q=${{ input.q }}' }, undefined, 'https://a.example'],
  ])('of %s with %j bound to %s is %s', (uses, config, endpoint, origin) => {
    expect(originOf(uses, config, endpoint)).toBe(origin);
  });

  it.each([
    '${{ input.endpoint }}',
    'https://${{ input.host }}/x',
    'https://a.example${{ input.rest }}',
    'https://a.example:${{ input.port }}/',
    'https://${secret:HOST}/x',
    'https://${{ input.user }}@a.example/x',
    'https://a.example:99999/x',
    'https:///',
    'nonsense',
    `https://${'a'.repeat(300)}.example/x`,
  ])('is not reported where the run or a secret determines it: %s', (endpoint) => {
    expect(originOf('builtin.http', { endpoint })).toBe('computed');
  });

  it('never holds anything but scheme, host and port, whatever is written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()), (endpoint) => {
        const origin = originOf('builtin.http', { endpoint });
        if (origin !== 'computed') expect(origin).toMatch(/^https?:\/\/[a-z0-9_.:[\]-]+$/);
      }),
    );
  });

  it('is that of the binding that applies now', () => {
    const origins = new CallOrigins();
    const unit = { uses: 'units.extract', config: {} };
    const found = ['https://a.example', 'https://b.example'].map((endpoint) =>
      origins.originOf(unit, { endpoint }),
    );
    expect([...found, origins.originOf(unit, undefined)]).toEqual([
      'https://a.example',
      'https://b.example',
      'in-process',
    ]);
  });
});
