import { RouteTable } from './route-table.js';

const table = new RouteTable<string>();
table.add('GET', '/', 'front');
table.add('GET', '/health', 'health');
table.add('POST', '/workflows/from-yaml', 'register');
table.add('POST', '/workflows/:id/runs', 'start');
table.add('GET', '/workflows/:id/runs/:runId', 'read');
table.add('GET', '/workflows/:id/runs/latest', 'never reached');

describe('a table of routes', () => {
  it.each([
    ['GET', '/', 'front', {}],
    ['GET', '/?x=1', 'front', {}],
    ['GET', '/health', 'health', {}],
    ['GET', '/health?deep=1', 'health', {}],
    ['POST', '/workflows/from-yaml', 'register', {}],
    ['POST', '/workflows/a%2Fb%20c/runs', 'start', { id: 'a/b c' }],
    ['GET', '/workflows/three/runs/7?x=/y', 'read', { id: 'three', runId: '7' }],
    ['GET', '/workflows/__proto__/runs/constructor', 'read', { id: '__proto__', runId: 'constructor' }],
  ])('finds %s %s', (method, url, handler, params) => {
    expect(table.find(method, url)).toEqual({ handler, params });
  });

  it('takes the first of two that fit, as the router does', () => {
    expect(table.find('GET', '/workflows/three/runs/latest')?.handler).toBe('read');
  });

  it.each([
    ['another method', 'PUT', '/health'],
    ['HEAD, which Express answers as GET', 'HEAD', '/health'],
    ['a slash at the end', 'GET', '/health/'],
    ['other letters', 'GET', '/Health'],
    ['two slashes', 'GET', '//'],
    ['an empty part', 'POST', '/workflows//runs'],
    ['a part too many', 'GET', '/workflows/a/runs/b/c'],
    ['an escape that is none', 'POST', '/workflows/%zz/runs'],
    ['a target with its host', 'GET', 'http://here/health'],
    ['a fragment', 'GET', '/health#x'],
    ['a backslash', 'GET', '/workflows/a/runs\\b'],
    ['what is not ASCII', 'POST', '/workflows/\u00e9/runs'],
    ['an asterisk', 'OPTIONS', '*'],
    ['nothing', 'GET', ''],
  ])('leaves %s to the router', (_what, method, url) => {
    expect(table.find(method, url)).toBeNull();
  });

  it.each(['/files/*path', '/a{/b}', '/:a-:b', '/a/:b?', ''])(
    'does not take up the pattern %j, which it would not read as the router does',
    (pattern) => {
      expect(new RouteTable<string>().add('GET', pattern, 'x')).toBe(false);
    },
  );
});

describe('the methods at a path', () => {
  const methods = new RouteTable<string>();
  methods.add('POST', '/workflows/:id/runs', 'start');
  methods.add('GET', '/workflows/:id/runs', 'list');
  methods.add('GET', '/workflows/:id/:part', 'read');

  it.each([
    ['/workflows/a/runs', ['POST', 'GET']],
    ['/Workflows/a/RUNS/', ['POST', 'GET']],
    ['/workflows/a/else', ['GET']],
    ['/workflows//runs', []],
    ['/workflows/a/runs//', []],
    ['/workflows', []],
    ['/', []],
    ['*', []],
  ])('of %s are %j', (path, expected) => {
    expect(methods.methodsAt(path)).toEqual(expected);
  });
});

describe('the routes near a path', () => {
  const routes = new RouteTable<string>();
  for (const [method, pattern] of [
    ['GET', '/workflows'],
    ['POST', '/workflows/from-yaml'],
    ['POST', '/workflows/:id/runs'],
    ['GET', '/workflows/:id/runs/:runId'],
    ['POST', '/workflows/:id/runs/:runId/resume'],
    ['POST', '/runs/import'],
  ] as const)
    routes.add(method, pattern, pattern);

  it.each([
    ['GET', '/workflow', ['GET /workflows']],
    ['GET', '/Workflow/a/run/b', ['GET /workflows/:id/runs/:runId']],
    ['POST', '/workflows', ['POST /workflows/from-yaml']],
    ['POST', '/runs', ['POST /workflows/:id/runs', 'POST /runs/import']],
    ['POST', '/workflows/a/runs/b/resum', ['POST /workflows/:id/runs/:runId/resume']],
    ['POST', '/workflow', []],
    ['GET', '/', []],
    ['GET', '/elsewhere', []],
    ['GET', `/${'x'.repeat(5_000)}`, []],
    ['GET', '/a'.repeat(5_000), []],
  ])('%s %s are %j', (method, path, expected) => {
    expect(routes.nearTo(method, path)).toEqual(expected);
  });
});

describe('a table that is closed', () => {
  it('finds what it had, and has the methods of what is added', () => {
    const closed = new RouteTable<string>();
    closed.add('GET', '/before', 'before');
    closed.close();
    expect(closed.add('GET', '/behind', 'behind')).toBe(false);
    expect(closed.find('GET', '/before')?.handler).toBe('before');
    expect(closed.find('GET', '/behind')).toBeNull();
    expect(closed.methodsAt('/behind')).toEqual(['GET']);
  });
});
