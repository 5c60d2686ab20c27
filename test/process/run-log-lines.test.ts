import type { Body } from '../support/service.js';
import { startProcess, type ServiceProcess } from '../support/service-process.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, gate, mock, remote } from '../support/workflow-documents.js';

const SECRETS = /secret-(input|output|gate|answer)/;
const RETRY = { policyOverrides: { retry: { maxAttempts: 2, backoff: 'fixed', baseMs: 1, jitter: false } } };

interface Line {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

let unit: UnitServer;
let service: ServiceProcess;
let address: string;

beforeAll(async () => {
  unit = await startUnitServer();
  service = startProcess();
  address = await service.listening();
  const gated = [
    remote('fetch', RETRY),
    gate('agree', { payload: 'secret-gate' }),
    mock('end', 'secret-output'),
  ];
  await register(document('gated', gated), bound('fetch', unit.url));
  await register(document('failing', [mock('begin'), remote('fetch', RETRY)]), bound('fetch', unit.url));
}, 60_000);
afterAll(async () => {
  await service.clear();
  await unit.close();
});

async function post(path: string, body: unknown): Promise<Body> {
  return (await fetch(`${address}${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
}

const register = (yaml: string, bindings: unknown) => post('/workflows/from-yaml', { yaml, bindings });

/** The lines of the service about a run, which are written before the caller is answered, or soon after. */
async function linesOf(runId: string, count: number): Promise<readonly Line[]> {
  for (let tries = 0; ; tries += 1) {
    const lines = service.said.stdout
      .split('\n')
      .filter((line) => line.includes(runId))
      .map((line) => JSON.parse(line) as Line);
    if (lines.length >= count || tries === 200) return lines;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const isInfo = ({ level }: Line) => level === 'log' || level === 'info';

it('a run logs in one line each that it started, paused and ended, and warns of a retry', async () => {
  let calls = 0;
  unit.answer(() => ((calls += 1), calls === 1 ? { status: 503 } : { body: { content: 'secret-answer' } }));
  const { runId } = await post('/workflows/gated/runs', { sync: true, input: { k: 'secret-input' } });
  const { status } = await post(`/workflows/gated/runs/${runId}/hitl`, { approved: true, responder: 'ann' });
  expect(status).toBe('completed');

  const lines = await linesOf(runId, 4);
  for (const line of lines) expect(line).toMatchObject({ runId, workflowId: 'gated' });
  const told = lines.filter(isInfo);
  expect(told).toHaveLength(3);
  expect(told[0]!.message).toMatch(/start/i);
  expect(told[1]!.message).toMatch(/pause/i);
  expect(told[2]!.message).toMatch(/ended|completed/i);
  const warned = lines.filter(({ level }) => level === 'warn');
  expect(warned).toEqual([
    expect.objectContaining({ unitId: 'fetch', message: expect.stringMatching(/again|retr/i) }),
  ]);
});

it('a run that fails warns of the retry and of the failure, with the unit', async () => {
  unit.answer({ status: 503 });
  const record = await post('/workflows/failing/runs', { sync: true, input: { k: 'secret-input' } });
  expect(record.status).toBe('failed');

  const lines = await linesOf(record.runId, 4);
  const warned = lines.filter(({ level }) => level === 'warn');
  expect(warned.map(({ unitId }) => unitId)).toEqual(['fetch', 'fetch']);
  expect(lines.filter(isInfo).map(({ message }) => message)).toEqual([
    expect.stringMatching(/start/i),
    expect.stringMatching(/ended|failed/i),
  ]);
});

it('no line holds what went into a run or came out of it', () => {
  expect(service.said.stdout).not.toMatch(SECRETS);
  expect(service.said.stderr).not.toMatch(SECRETS);
});
