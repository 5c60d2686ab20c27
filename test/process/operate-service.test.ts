import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFolder } from '../../src/storage/sqlite/folder/data-folder.js';
import { startService, type Body } from '../support/service.js';
import { startProcess, type ServiceProcess } from '../support/service-process.js';
import { startUnitServer } from '../support/unit-server.js';
import { bound, document, gate, mock, remote } from '../support/workflow-documents.js';
import { blocksOf, readPage, sectionOf } from '../docs/support/page-blocks.js';
import { codeIn, tablesOf } from '../docs/support/page-tables.js';

const page = readPage('docs/operate.md');
const rowsUnder = (heading: string) =>
  tablesOf(page)
    .filter(({ section }) => section === heading)
    .flatMap(({ rows }) => rows.map(({ cells }) => cells));
/** The lines of JSON that the page shows there. */
const shownLines = (heading: string): readonly Body[] =>
  blocksOf(sectionOf(page, `## ${heading}`))
    .filter(({ kind }) => kind === 'json')
    .flatMap(({ text }) => text.split('\n').map((line) => JSON.parse(line)));

const processes: ServiceProcess[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flowgate-operate-'));
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((service) => service.clear()));
  rmSync(folder, { recursive: true, force: true });
});

function launch(environment: Readonly<Record<string, string>>): ServiceProcess {
  const service = startProcess(environment);
  processes.push(service);
  return service;
}

const sqliteIn = (name: string) => ({ FLOWGATE_STORE: 'sqlite', FLOWGATE_DATA_DIR: join(folder, name) });

async function post(address: string, path: string, body: object): Promise<Body> {
  return (await fetch(`${address}${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
}

describe('a service that does not start', () => {
  const cases = rowsUnder('When it does not start').map(([settings = '', said = '']) => ({
    settings: codeIn(settings).join(' '),
    said: codeIn(said),
  }));

  it.each(cases)('with $settings says what the page says', async ({ settings, said }) => {
    const environment = Object.fromEntries(
      settings.split(' ').map((pair) => pair.split('=') as [string, string]),
    );
    const isAboutData = 'FLOWGATE_DATA_DIR' in environment;
    const service = launch({ ...(isAboutData ? { FLOWGATE_STORE: 'sqlite' } : {}), ...environment });
    expect(await service.ended()).toEqual({ code: 1, signal: null });
    expect(service.said.stderr.trim().split('\n')).toEqual(said);
  });

  it('is in the table at all', () => expect(cases.length).toBeGreaterThan(5));
});

describe('the probes', () => {
  const endpoints = rowsUnder('Probes').map(
    ([endpoint = '']) => codeIn(endpoint)[0]?.replace('GET ', '') ?? '',
  );

  it('are those of the table', () => {
    expect(endpoints).toEqual(['/health/live', '/health/ready', '/health']);
  });

  it('answer as the page says while the service serves, and the figures of /health are those it names', async () => {
    const service = await startService();
    const answers = await Promise.all(endpoints.map((path) => service.get(path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const section = sectionOf(page, '## Probes');
    for (const { text } of answers.slice(0, 2)) expect(section).toContain(`\`${text}\``);
    const { ok: _ok, memory, ...figures } = answers.at(-1)!.body as Body;
    for (const name of [...Object.keys(figures), ...Object.keys(memory).map((key) => `memory.${key}`)])
      expect(section).toContain(`\`${name}\``);
    await service.close();
  });
});

describe('the lines of the log', () => {
  it('of a run are those of the page', async () => {
    const service = launch({});
    const address = await service.listening();
    await post(address, '/workflows/from-yaml', { yaml: document('hello', [gate('approve')]) });
    const { runId } = await post(address, '/workflows/hello/runs', { sync: true });
    await post(address, `/workflows/hello/runs/${runId}/hitl`, { approved: true });
    const lines = await linesAbout(service, runId, 3);
    const shown = shownLines('Logs').map((line) =>
      'durationMs' in line ? { ...line, durationMs: expect.any(Number) } : line,
    );
    expect(lines).toEqual(
      shown.map((line) => ({ ...line, runId, pid: expect.any(Number), timestamp: expect.any(Number) })),
    );
  });

  it('at the end of a shutdown are those of the page', async () => {
    const unit = await startUnitServer();
    unit.answer(() => new Promise<void>(() => undefined));
    const ends = [
      { runs: 0, signals: 1 },
      { runs: 1, signals: 1 },
      { runs: 1, signals: 2 },
    ];
    const lines = await Promise.all(
      ends.map(async ({ runs, signals }, index) => {
        const service = launch({
          ...sqliteIn(`data-${index}`),
          FLOWGATE_SHUTDOWN_GRACE_MS: signals === 2 ? '60000' : '0',
        });
        const address = await service.listening();
        const yaml = document('w', [remote('a')]);
        await post(address, '/workflows/from-yaml', { yaml, bindings: bound('a', unit.url) });
        for (let run = 0; run < runs; run += 1) await post(address, '/workflows/w/runs', {});
        if (runs > 0) await unit.received(2);
        service.child.kill('SIGTERM');
        if (signals === 2) {
          while (!service.said.stdout.includes('no new runs')) await once(service.child.stdout!, 'data');
          service.child.kill('SIGTERM');
        }
        await service.ended();
        return JSON.parse(service.said.stdout.trim().split('\n').at(-1) ?? '') as Body;
      }),
    );
    await unit.close();
    expect(lines).toEqual(shownLines('Shutdown').map((line) => expect.objectContaining(line)));
  });
});

describe('the data folder', () => {
  const named = rowsUnder('Data folder and backup').flatMap(([files = '']) => codeIn(files));

  it('has the files of the table and no other, of which those of crashes go with an orderly end', async () => {
    const known = Object.values(dataFolder(folder)).filter((path) => path !== folder);
    expect(named.map((file) => join(folder, file)).toSorted()).toEqual(known.toSorted());
    const service = launch(sqliteIn('data'));
    await service.listening();
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
    service.child.kill('SIGTERM');
    await service.ended();
    expect(readdirSync(join(folder, 'data')).toSorted()).toEqual(['memory.db', 'owner.lock.db', 'runs.db']);
  });

  it('copied in one instant of a running service is a backup, from which the search is built again', async () => {
    const service = launch(sqliteIn('data'));
    const address = await service.listening();
    await post(address, '/workflows/from-yaml', { yaml: document('w', [mock('a', 'findable'), gate('b')]) });
    const { runId } = await post(address, '/workflows/w/runs', { sync: true });
    // Nothing moves while it is copied, as in a snapshot.
    service.child.kill('SIGSTOP');
    cpSync(join(folder, 'data'), join(folder, 'copy'), { recursive: true });
    service.child.kill('SIGCONT');
    for (const file of readdirSync(join(folder, 'copy')))
      if (file.startsWith('memory.db')) rmSync(join(folder, 'copy', file));
    const restored = launch(sqliteIn('copy'));
    const there = await restored.listening();
    const record: Body = await (await fetch(`${there}/workflows/w/runs/${runId}`)).json();
    expect(record).toMatchObject({ status: 'paused', result: { state: { 'output.a': 'findable' } } });
    for (let found = 0; found === 0;)
      found = ((await (await fetch(`${there}/memory/search?q=findable`)).json()) as Body).results.length;
    expect(existsSync(join(folder, 'copy/memory.db'))).toBe(true);
  });
});

describe('web pages and proxies', () => {
  const cases = rowsUnder('Web pages and proxies').map(([setting = '', request = '', status = '']) => {
    const [call = '', header = ''] = codeIn(request);
    return { setting: codeIn(setting)[0] ?? '', call, header, status: Number(status) };
  });

  it('are in the table', () => expect(cases).toHaveLength(6));

  it.each(cases)('$setting $call with $header is $status', async ({ setting, call, header, status }) => {
    const service = await startService(setting === '' ? {} : Object.fromEntries([setting.split('=')]));
    const [method = '', path = ''] = call.split(' ');
    const name = header.slice(0, header.indexOf(': '));
    const headers = { [name.toLowerCase()]: header.slice(name.length + 2) };
    const body = method === 'POST' ? { body: { id: 1, method: 'tools/list' } } : {};
    expect((await service.call(method, path, { headers, ...body })).status).toBe(status);
    await service.close();
  });
});

/** What was said about a run, once so many lines were. */
async function linesAbout(service: ServiceProcess, runId: string, count: number): Promise<readonly Body[]> {
  for (;;) {
    const lines = service.said.stdout.split('\n').filter((line) => line.includes(runId));
    if (lines.length >= count) return lines.map((line) => JSON.parse(line) as Body);
    await once(service.child.stdout!, 'data');
  }
}
