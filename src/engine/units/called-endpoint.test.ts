import { calledEndpoint, hasEndpoint } from './called-endpoint.js';

const unit = (uses: string, config = {}) => ({ uses, config });
const BINDING = { endpoint: 'https://user:secret@Units.Example.org:443/extract?tenant=1#part' };

describe('what a call of a unit goes to', () => {
  it('is the address of its binding, without what belongs to the call or is secret', () => {
    expect(calledEndpoint(unit('extract'), null, BINDING)).toBe('https://units.example.org/extract');
  });

  it('is the address that a built-in names itself, as evaluated, before that of its binding', () => {
    const http = unit('builtin.http', { endpoint: '${{ input.at }}' });
    const settings = { endpoint: 'http://127.0.0.1:8080/a' };
    expect(calledEndpoint(http, settings, BINDING)).toBe('http://127.0.0.1:8080/a');
    expect(calledEndpoint(unit('builtin.http'), null, BINDING)).toBe('https://units.example.org/extract');
    expect(calledEndpoint(unit('builtin.mcp', { url: 'https://mcp.example.org' }), null, undefined)).toBe(
      'https://mcp.example.org/',
    );
  });

  it('is its name for code of this process, whose config is its own affair', () => {
    expect(calledEndpoint(unit('extract', { endpoint: 'https://a.example' }), null, undefined)).toBe(
      'extract',
    );
  });

  it('is its name for what is no address', () => {
    expect(calledEndpoint(unit('builtin.http', { endpoint: 'nowhere' }), null, undefined)).toBe(
      'builtin.http',
    );
    expect(calledEndpoint(unit('builtin.http'), { endpoint: 7 }, undefined)).toBe('builtin.http');
  });
});

describe('whether a unit calls an endpoint', () => {
  it.each([
    ['extract', true],
    ['builtin.http', true],
    ['builtin.mcp', true],
    ['builtin.mock', false],
    ['builtin.memory-put', false],
    ['builtin.memory-search', false],
  ])('%s: %s', (uses, calls) => {
    expect(hasEndpoint({ uses })).toBe(calls);
  });
});
