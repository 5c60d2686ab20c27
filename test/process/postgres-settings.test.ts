import { until } from '../support/eventually.js';
import { startProcess, type ServiceProcess } from '../support/service-process.js';

const ADDRESS = 'postgresql://ann:hunter2@127.0.0.1:9/flowgate';

const services: ServiceProcess[] = [];
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.clear()));
});

function launch(environment: Readonly<Record<string, string>>, script?: string): ServiceProcess {
  const service = startProcess(environment, script === undefined ? {} : { script });
  services.push(service);
  return service;
}

/** What a start that ends at once says; never where the database is, nor the password. */
async function refusal(environment: Readonly<Record<string, string>>, script?: string): Promise<string> {
  const service = launch(environment, script);
  expect(await service.ended()).toEqual({ code: 1, signal: null });
  expect(service.said.stdout + service.said.stderr).not.toMatch(/hunter2|127\.0\.0\.1:9/);
  return service.said.stderr.trim();
}

/** As if nobody had installed the package. */
const WITHOUT_PG = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'pg') throw Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' });
      return next(specifier, context);
    },
  });
  await import('./main.js');
`;

describe('a start with FLOWGATE_STORE=postgres', () => {
  it('ends in one sentence without a database', async () => {
    expect(await refusal({ FLOWGATE_STORE: 'postgres' })).toBe(
      'FLOWGATE_STORE is "postgres": FLOWGATE_DATABASE_URL must say which database, such as ' +
        'postgresql://flowgate@db.example.com/flowgate.',
    );
  });

  it('ends in one sentence with a registry in memory', async () => {
    const environment = {
      FLOWGATE_STORE: 'postgres',
      FLOWGATE_DATABASE_URL: ADDRESS,
      FLOWGATE_REGISTRY: 'memory',
    };
    expect(await refusal(environment)).toMatch(/^FLOWGATE_REGISTRY is "memory": [^\n]*$/);
  });

  it('never shows a URL that cannot be used', async () => {
    for (const variable of ['FLOWGATE_DATABASE_URL', 'FLOWGATE_DATABASE_SESSION_URL']) {
      const environment = { FLOWGATE_STORE: 'postgres', FLOWGATE_DATABASE_URL: ADDRESS };
      expect(await refusal({ ...environment, [variable]: 'mysql://ann:hunter2@127.0.0.1:9/x' })).toMatch(
        new RegExp(
          `^${variable} is its value \\(not shown\\): it must be a URL that begins with postgresql://`,
        ),
      );
    }
  });

  it('ends with a sentence that says what to install, where the package is missing', async () => {
    const environment = { FLOWGATE_STORE: 'postgres', FLOWGATE_DATABASE_URL: ADDRESS };
    expect(await refusal(environment, WITHOUT_PG)).toBe(
      'FLOWGATE_STORE=postgres is set: the service then needs pg@8, not found beside flowgate: run `npm install pg@8`, or, in ' +
        'no project, `npx -p flowgate -p pg@8 flowgate serve`.',
    );
  });
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  'a start that waits for its database ends at once at %s',
  async (signal) => {
    // Nobody listens there: it is tried for a minute.
    const service = launch({ FLOWGATE_STORE: 'postgres', FLOWGATE_DATABASE_URL: ADDRESS, LOG_LEVEL: 'info' });
    await until(() => service.said.stdout.includes('No database yet'), 'it waits for its database');
    const sentAt = performance.now();
    service.child.kill(signal);
    expect(await service.ended()).toEqual({ code: null, signal });
    expect(performance.now() - sentAt).toBeLessThan(5_000);
    expect(service.said.stdout).toContain(`${signal}: Flowgate ends before it has started`);
    expect(service.said.stdout + service.said.stderr).not.toContain('hunter2');
  },
);

it('a start with another store needs no such package, and says that a database is not used', async () => {
  const service = launch({ FLOWGATE_DATABASE_URL: ADDRESS }, WITHOUT_PG);
  const address = await service.listening();
  expect((await fetch(`${address}/health`)).status).toBe(200);
  expect(service.said.stdout).toContain('no database is used; set FLOWGATE_STORE=postgres to use it');
  expect(service.said.stdout + service.said.stderr).not.toContain('hunter2');
});
