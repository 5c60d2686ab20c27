import { startProcess, type ServiceProcess } from '../support/service-process.js';
import { ADAPTERS, type AdapterName } from '../support/host.js';

let host: ServiceProcess | undefined;

afterEach(async () => {
  await host?.clear();
  host = undefined;
});

const ADAPTER = {
  express: `const { ExpressAdapter: Adapter } = await import('@nestjs/platform-express');`,
  fastify: `const { FastifyAdapter: Adapter } = await import('@nestjs/platform-fastify');`,
};

/** A host with runs of every kind of wait, on a SQLite store, that continues with the code `then`. */
function start(adapter: AdapterName, then: string): ServiceProcess {
  host = startProcess(
    {},
    {
      script: `
        import { request } from 'node:http';
        import { Module } from '@nestjs/common';
        import { NestFactory } from '@nestjs/core';
        import { Engine, FlowgateModule, SqliteMemoryIndex, SqliteRunStore } from './index.js';
        ${ADAPTER[adapter]}

        const say = (line) => process.stdout.write(line + '\\n');
        const resources = () => process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap').sort();
        const before = resources();

        class Host {}
        const folder = process.cwd();
        Module({
          imports: [
            FlowgateModule.forRoot({ store: new SqliteRunStore({ folder }), memory: new SqliteMemoryIndex({ folder }) }),
            FlowgateModule.forRoot({ name: 'second', prefix: 'second' }),
          ],
        })(Host);
        const app = await NestFactory.create(Host, new Adapter(), { logger: false });
        await app.listen(0, '127.0.0.1');

        const engine = app.get(Engine);
        const begun = Promise.withResolvers();
        const slow = () => new Promise((resolve) => {
          setTimeout(() => resolve({ content: 'slept' }), 300);
          say('unit begins');
          begun.resolve();
        });
        engine.registerUnit('host.slow', slow);
        const define = (id, units) => engine.workflows.register({ yaml: JSON.stringify({
          apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: { id },
          spec: { units, flow: { type: 'sequential', order: units.map((unit) => unit.id) } },
        }) });
        await define('plain', [{ id: 'a', uses: 'builtin.mock', config: { response: 1 } }]);
        await define('gated', [{ id: 'a', uses: 'builtin.approval', config: { title: 'May it?' } }]);
        await define('slow', [{ id: 'a', uses: 'host.slow' }]);
        const ask = (path, body) => new Promise((resolve, reject) => {
          const headers = { 'content-type': 'application/json' };
          const { port } = app.getHttpServer().address();
          const sent = request({ port, path, method: 'POST', agent: false, headers }, (response) => {
            response.on('end', () => resolve(response.statusCode)).resume();
          });
          sent.on('error', reject).end(JSON.stringify(body));
        });
        for (const id of ['plain', 'gated']) say(id + ' ' + await ask('/flowgate/workflows/' + id + '/runs', { sync: true }));
        ${then}
      `,
    },
  );
  return host;
}

async function untilItSays(word: string): Promise<void> {
  while (!host!.said.stdout.includes(word)) {
    if (host!.child.exitCode !== null) throw new Error(`It ended: ${host!.said.stdout}${host!.said.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe.each(ADAPTERS)('a host on %s', (adapter) => {
  it('ends by itself once it is closed, with nothing left open, and its runs drained', async () => {
    const { said, ended } = start(
      adapter,
      `
        const answered = ask('/flowgate/workflows/slow/runs', { sync: true });
        await begun.promise;
        await app.close();
        say('slow ' + await answered);
        say('closed');
        await new Promise((resolve) => setTimeout(resolve, 50));
        say('left ' + JSON.stringify(resources().filter((kind) => !before.includes(kind))));
      `,
    );
    expect(await ended()).toEqual({ code: 0, signal: null });
    expect(said.stderr).toBe('');
    expect(said.stdout.trim().split('\n')).toEqual([
      'plain 202',
      'gated 202',
      'unit begins',
      'slow 202',
      'closed',
      'left []',
    ]);
  });

  it('drains its runs at SIGTERM once it has asked for shutdown hooks', async () => {
    const { child, said, ended } = start(
      adapter,
      `
        app.enableShutdownHooks();
        ask('/flowgate/workflows/slow/runs', { sync: true }).then((status) => say('slow ' + status));
      `,
    );
    await untilItSays('unit begins');
    child.kill('SIGTERM');
    expect(await ended()).toEqual({ code: null, signal: 'SIGTERM' });
    expect(said.stdout).toContain('slow 202');
  });

  it('that has not asked for them ends at SIGTERM in the middle of its runs', async () => {
    const { child, said, ended } = start(
      adapter,
      `void ask('/flowgate/workflows/slow/runs', { sync: true });`,
    );
    await untilItSays('unit begins');
    child.kill('SIGTERM');
    expect(await ended()).toEqual({ code: null, signal: 'SIGTERM' });
    expect(said.stdout).not.toContain('slow 202');
  });
});
