import { startProcess, type ServiceProcess } from '../support/service-process.js';

let host: ServiceProcess | undefined;

afterEach(async () => {
  await host?.clear();
  host = undefined;
});

/** Starts Flowgate in a host on Fastify, does `then`, and returns every package that Flowgate itself has loaded. */
async function packagesOf(then = ''): Promise<readonly string[]> {
  host = startProcess(
    {},
    {
      script: `
        import { createRequire, registerHooks } from 'node:module';
        const loaded = new Set();
        registerHooks({
          resolve: (name, context, next) => {
            const isOurs = context.parentURL?.startsWith(new URL('.', import.meta.url).href);
            if (isOurs && !name.startsWith('.')) loaded.add(name);
            return next(name, context);
          },
        });
        const { Module } = await import('@nestjs/common');
        const { NestFactory } = await import('@nestjs/core');
        const { FastifyAdapter } = await import('@nestjs/platform-fastify');
        const { Engine, FlowgateModule } = await import('./index.js');
        class Host {}
        Module({ imports: [FlowgateModule.forRoot()] })(Host);
        const app = await NestFactory.create(Host, new FastifyAdapter(), { logger: false });
        await app.listen(0, '127.0.0.1');
        const engine = app.get(Engine);
        ${then}
        await app.close();
        const files = Object.keys(createRequire(import.meta.url).cache);
        if (files.some((file) => file.includes('libphonenumber'))) loaded.add('libphonenumber-js');
        process.stdout.write(JSON.stringify([...loaded]));
      `,
    },
  );
  expect(await host.ended()).toEqual({ code: 0, signal: null });
  return JSON.parse(host.said.stdout) as readonly string[];
}

const registering = (spec: string, bindings = '{}') => `
  await engine.workflows.register({ yaml: JSON.stringify({
    apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: { id: 'x' }, spec: ${spec},
  }), bindings: ${bindings} });
`;

it('a start loads nothing that the host does not use: no other adapter, no optional peer, no client of HTTP, no telephone numbers', async () => {
  const packages = await packagesOf();
  expect(packages).toContain('immutable');
  const unused =
    /^(?:@nestjs\/(?:platform-express|axios|swagger|terminus)|express|axios|undici|ajv|ajv-formats|libphonenumber-js)(?:$|\/)/;
  expect(packages.filter((name) => unused.test(name))).toEqual([]);
});

it('a workflow with a schema loads the validator', async () => {
  const spec = `{
    input: { type: 'object', properties: { n: { type: 'number' } } },
    units: [{ id: 'a', uses: 'builtin.mock', config: { response: 1 } }], flow: { type: 'sequential' } }`;
  const packages = await packagesOf(registering(spec));
  expect([packages.includes('ajv-formats'), packages.includes('undici')]).toEqual([true, false]);
});

it('a unit that is called over HTTP loads the client', async () => {
  const spec = `{ units: [{ id: 'a', uses: 'acme.a' }], flow: { type: 'sequential' } }`;
  const bindings = `{ 'acme.a': { type: 'http', endpoint: 'http://127.0.0.1:1/' } }`;
  const run = `
    const { error } = await engine.runs.start({ workflowId: 'x', sync: true });
    if (!error.includes('connection refused')) throw new Error(error);`;
  const packages = await packagesOf(registering(spec, bindings) + run);
  expect([packages.includes('ajv-formats'), packages.includes('undici')]).toEqual([false, true]);
});
