import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FlowgateModule, InMemoryRunStore } from '../../src/index.js';
import { eventually } from '../support/eventually.js';
import { serviceOf, startService, type Service } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { document, mock, remote } from '../support/workflow-documents.js';

let service: Service;
let unit: UnitServer;

beforeEach(async () => {
  service = await startService();
  unit = await startUnitServer({ body: { content: 'done' } });
});
afterEach(async () => {
  await service.close();
  await unit.close();
});

/** The samples by their names and labels. */
async function scraped(from = service, path = '/metrics'): Promise<ReadonlyMap<string, number>> {
  return samplesIn((await from.get(path)).text);
}

function samplesIn(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

describe('GET /metrics', () => {
  it('is text that Prometheus reads, and is not cached', async () => {
    const { status, headers, text } = await service.get('/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toMatch(
      /^# HELP flowgate_runs_started_total .+\n# TYPE flowgate_runs_started_total counter\n/,
    );
    expect(text.endsWith('\n')).toBe(true);
  });

  it('is OpenMetrics for a client that prefers it', async () => {
    const headers = { accept: 'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;q=0.3' };
    await service.get('/metrics');
    const answer = await service.call('GET', '/metrics', { headers });
    expect(answer.headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(answer.text).toContain('# TYPE flowgate_runs_started counter\nflowgate_runs_started_total 0\n');
    expect(answer.text.endsWith('# EOF\n')).toBe(true);
    // The two formats have different names.
    expect((await service.get('/metrics')).text).toContain('# TYPE flowgate_runs_started_total counter');
  });

  it('counts runs, calls by target and result, and appends', async () => {
    unit.answer(({ url }) => (url === '/fails' ? { status: 400 } : { body: { content: 'done' } }));
    const endpoint = { type: 'http', endpoint: `${unit.url}/works` };
    await service.register(document('works', [mock('a', 'x'), remote('extract')]), {
      [remote('extract').uses]: endpoint,
    });
    await service.register(document('fails', [remote('extract')]), {
      [remote('extract').uses]: { ...endpoint, endpoint: `${unit.url}/fails` },
    });
    await service.start('works');
    await service.start('works');
    await service.start('fails');
    const samples = await scraped();
    const value = (name: string): number | undefined => samples.get(name);
    expect(value('flowgate_runs_started_total')).toBe(3);
    expect(value('flowgate_runs_ended_total{status="completed"}')).toBe(2);
    expect(value('flowgate_runs_ended_total{status="failed"}')).toBe(1);
    expect(value('flowgate_run_duration_seconds_count')).toBe(3);
    const origin = `origin="${unit.url}"`;
    expect(value(`flowgate_unit_calls_total{${origin},outcome="finished"}`)).toBe(2);
    expect(value(`flowgate_unit_calls_total{${origin},outcome="failed"}`)).toBe(1);
    expect(value('flowgate_unit_calls_total{origin="builtin",outcome="finished"}')).toBe(2);
    expect(value(`flowgate_unit_call_duration_seconds_bucket{le="+Inf",${origin}}`)).toBe(3);
    expect(value(`flowgate_unit_call_duration_seconds_count{${origin}}`)).toBe(3);
    expect(value('flowgate_appends_total{outcome="appended"}')).toBeGreaterThanOrEqual(6);
    expect(value('flowgate_append_duration_seconds_count')).toBe(
      value('flowgate_appends_total{outcome="appended"}'),
    );
    expect(value('flowgate_units_in_flight')).toBe(0);
    expect(value('flowgate_mailbox_mails')).toBe(0);
  });

  it('names no run, workflow, unit, path or secret', async () => {
    const endpoint = `${unit.url.replace('//', '//ann:hunter2@')}/path-of-unit?token=hunter2`;
    await service.register(document('named-workflow', [remote('named-unit')]), {
      [remote('named-unit').uses]: { type: 'http', endpoint },
    });
    const { runId } = await service.start('named-workflow', { sync: true, input: { said: 'hunter2' } });
    const { text } = await service.get('/metrics');
    expect(text).toContain(unit.url);
    for (const secret of [runId, 'named-', 'path-of-unit', 'hunter2', 'ann'])
      expect(text).not.toContain(secret);
  });

  it('reports units in flight', async () => {
    let finish = (): void => undefined;
    unit.answer(() => new Promise((resolve) => (finish = () => resolve({ body: 'done' }))));
    await service.register(document('slow', [remote('extract')]), {
      [remote('extract').uses]: { type: 'http', endpoint: unit.url },
    });
    await service.start('slow', {});
    await unit.received(1);
    expect((await scraped()).get('flowgate_units_in_flight')).toBe(1);
    expect((await scraped()).get('flowgate_runs_in_memory')).toBe(1);
    finish();
    await eventually(
      () => scraped(),
      (samples) => samples.get('flowgate_units_in_flight') === 0,
    );
  });

  it('is switched off by a setting', async () => {
    const without = await startService({ FLOWGATE_METRICS: 'false' });
    expect((await without.get('/metrics')).status).toBe(404);
    await without.close();
  });

  it('is refused where the service is called by a name that is not its own, as other reads are', async () => {
    const headers = { host: 'evil.example' };
    expect((await service.call('GET', '/metrics', { headers })).status).toBe(403);
  });
});

/** A store that reports the unfinished totals that the test sets. */
class TotalsStore extends InMemoryRunStore {
  asked = 0;
  standing: () => ReturnType<InMemoryRunStore['countStanding']> = () =>
    Promise.resolve({ pending: 1, running: 2, paused: 3, openGates: 4 });

  override countStanding(): ReturnType<InMemoryRunStore['countStanding']> {
    this.asked += 1;
    return this.standing();
  }
}

describe('what only the store knows', () => {
  async function hostOver(store: TotalsStore): Promise<Service> {
    @Module({ imports: [FlowgateModule.forRoot({ store, prefix: '' })] })
    class HostModule {}
    const app = await NestFactory.create(HostModule, { logger: false });
    await app.listen(0, '127.0.0.1');
    return serviceOf(app);
  }

  it('is read once, however many scrape in either format', async () => {
    const store = new TotalsStore();
    const host = await hostOver(store);
    const headers = { accept: 'application/openmetrics-text' };
    const scrapes = Array.from({ length: 50 }, (_, index) =>
      host.call('GET', '/metrics', index % 2 === 0 ? {} : { headers }),
    );
    const answers = await Promise.all(scrapes);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const samples = samplesIn(answers[0]!.text);
    expect(samples.get('flowgate_runs{status="pending"}')).toBe(1);
    expect(samples.get('flowgate_runs{status="running"}')).toBe(2);
    expect(samples.get('flowgate_runs{status="paused"}')).toBe(3);
    expect(samples.get('flowgate_open_gates')).toBe(4);
    expect(samples.get('flowgate_follower_lag_entries{follower="memory"}')).toBeGreaterThanOrEqual(0);
    await host.get('/metrics');
    expect(store.asked).toBe(1);
    await host.close();
  });

  it('is left out while the store cannot say it, and not reported as zero', async () => {
    const store = new TotalsStore();
    store.standing = () => Promise.reject(new Error('/var/lib/runs is gone'));
    const host = await hostOver(store);
    const { status, text } = await host.get('/metrics');
    expect(status).toBe(200);
    expect([...samplesIn(text).keys()].filter((name) => /^flowgate_(runs\{|open_gates)/.test(name))).toEqual(
      [],
    );
    expect(text).toContain('# TYPE flowgate_open_gates gauge');
    expect(text).not.toContain('/var/lib');
    expect(samplesIn(text).get('flowgate_runs_started_total')).toBe(0);
    await host.close();
  });
});

describe('in a host', () => {
  async function hostWith(options: Parameters<typeof FlowgateModule.forRoot>[0]): Promise<Service> {
    @Module({ imports: [FlowgateModule.forRoot(options)] })
    class HostModule {}
    const app = await NestFactory.create(HostModule, { logger: false });
    await app.listen(0, '127.0.0.1');
    return serviceOf(app);
  }

  it('they are below the prefix, and each instance has its own', async () => {
    @Module({
      imports: [
        FlowgateModule.forRoot({ prefix: 'one', name: 'one' }),
        FlowgateModule.forRoot({ prefix: 'two', name: 'two' }),
      ],
    })
    class HostModule {}
    const app = await NestFactory.create(HostModule, { logger: false });
    await app.listen(0, '127.0.0.1');
    const [one, two] = [serviceOf(app, '/one'), serviceOf(app, '/two')];
    await one.register(document('plain', [mock('a', 'x')]));
    await one.start('plain');
    expect((await scraped(one)).get('flowgate_runs_started_total')).toBe(1);
    expect((await scraped(two)).get('flowgate_runs_started_total')).toBe(0);
    await app.close();
  });

  it('they can be left out', async () => {
    const host = await hostWith({ http: { metrics: false }, prefix: '' });
    expect((await host.get('/metrics')).status).toBe(404);
    expect((await host.get('/health')).status).toBe(200);
    await host.close();
  });

  it('a telemetry of its own is called as well', async () => {
    const told: string[] = [];
    const note = (what: string) => () => void told.push(what);
    const telemetry = {
      runStarted: note('started'),
      runEnded: note('ended'),
      attempted: note('attempted'),
      appended: () => undefined,
      committed: () => undefined,
    };
    const host = await hostWith({ telemetry, prefix: '' });
    await host.register(document('plain', [mock('a', 'x')]));
    await host.start('plain');
    // A mock is executed in the turn that starts the run; a run has started once that is stored.
    expect(told).toEqual(['attempted', 'started', 'ended']);
    expect((await scraped(host)).get('flowgate_runs_started_total')).toBe(1);
    await host.close();
  });
});
