import type { INestApplication } from '@nestjs/common';
import { DEFAULTS } from '../../src/engine/engine-defaults.js';
import type { FlowgateError } from '../../src/errors/flowgate-error.js';
import { Engine, Flowgate } from '../../src/index.js';
import { startHost } from '../support/host.js';
import { wordsOfOthers } from '../support/surface-vocabulary.js';
import { document, gate, mock } from '../support/workflow-documents.js';

const NO_RUN = '01a1f2f0-0000-7000-8000-000000000000';
const MOST_WORKFLOWS = 3;
const MOST_OPEN = 5;

interface Host {
  readonly flowgate: Flowgate;
  readonly engine: Engine;
  readonly runs: Readonly<Record<'OVER' | 'GATES' | 'DECIDED', string>>;
}

let app: INestApplication;
let host: Host;
beforeAll(async () => {
  app = await startHost({
    adapter: 'express',
    flowgate: { maxWorkflows: MOST_WORKFLOWS, maxOpenRunsPerNamespace: MOST_OPEN },
  });
  const [flowgate, engine] = [app.get(Flowgate), app.get(Engine)];
  await engine.workflows.register({ yaml: document('plain', [mock('a')]) });
  await engine.workflows.register({ yaml: document('gated', [gate('agree'), mock('b')]) });
  const parallel = { flow: { type: 'parallel', units: ['one', 'two'] } };
  await engine.workflows.register({ yaml: document('gates', [gate('one'), gate('two')], parallel) });
  const over = await flowgate.start('plain', {}, { sync: true });
  const decided = await flowgate.start('gated', {}, { sync: true });
  await flowgate.respond('gated', decided.runId, { approved: true });
  const gates = await flowgate.start('gates', {}, { sync: true });
  host = { flowgate, engine, runs: { OVER: over.runId, GATES: gates.runId, DECIDED: decided.runId } };
});
afterAll(() => app.close());

/** What a provider of the host called, and all that it is told: a method, or an option. */
const MISTAKES: readonly (readonly [
  what: string,
  call: (host: Host) => Promise<unknown>,
  message: string,
  detail?: string,
])[] = [
  [
    'starts a workflow by a name that is nearly right',
    ({ flowgate }) => flowgate.start('plan'),
    'Unknown workflow: plan',
    'Did you mean plain?',
  ],
  ['reads a run that is none', ({ flowgate }) => flowgate.get('plain', NO_RUN), `Unknown run: ${NO_RUN}`],
  [
    'gives a key again with something else',
    async ({ flowgate }) => {
      await flowgate.start('plain', { n: 1 }, { idempotencyKey: 'k' });
      await flowgate.start('plain', { n: 2 }, { idempotencyKey: 'k' });
    },
    'The idempotencyKey k stands for another request: give a new one',
  ],
  [
    'compensates what has nothing to compensate',
    ({ flowgate, runs }) => flowgate.compensate('plain', runs.OVER),
    'No compensation of the run OVER has failed, so none is tried again: its compensation in listRuns() says how it stands',
  ],
  [
    'decides where two gates are open',
    ({ flowgate, runs }) => flowgate.respond('gates', runs.GATES, { approved: true }),
    'Several gates are open: name one of them by gateId',
  ],
  [
    'approves in a run that is over',
    ({ flowgate, runs }) => flowgate.respond('plain', runs.OVER, { approved: true }),
    'Unknown run: OVER',
    'The run is over (completed): nobody waits for this decision any more.',
  ],
  [
    'forks past a gate with other input',
    ({ flowgate, runs }) => flowgate.fork('gated', runs.DECIDED, { from: { unitId: 'b' }, input: { x: 1 } }),
    'The fork would begin behind gates that were decided about something else: fork from before them, or without changes, or ' +
      'set forkPastGates=true',
  ],
  [
    'registers one workflow too many',
    ({ engine }) => engine.workflows.register({ yaml: document('another', [mock('a')]) }),
    '3 workflows are registered, and no more may be: register under an id that is there already, or raise maxWorkflows',
  ],
  [
    'opens one run too many',
    async ({ flowgate }) => {
      for (let open = 0; open < MOST_OPEN; open += 1) await flowgate.start('gated', {}, { sync: true });
    },
    '5 runs of the namespace default are open, and no more may be: let some end, cancel what is not needed, or raise ' +
      'maxOpenRunsPerNamespace',
  ],
];

describe('a provider of a host', () => {
  const rows = MISTAKES.map(([what, call, message, detail]) => [what, call, message, { detail }] as const);
  it.each(rows)('that %s is told in words of code', async (_what, call, message, { detail }) => {
    const error = await call(host).then(
      () => Promise.reject(new Error('It was not refused.')),
      (refused: unknown) => refused as FlowgateError,
    );
    const said = Object.entries(host.runs).reduce(
      (all, [name, id]) => all.replaceAll(id, name),
      error.message,
    );
    expect([said, error.detail]).toEqual([message, detail]);
    expect(wordsOfOthers(`${said} ${detail ?? ''}`, ['code'])).toEqual([]);
  });

  it('is told of options that there are', () => {
    const named = MISTAKES.flatMap(([, , message]) => message.match(/\b(?:max|fork)[A-Z]\w+/g) ?? []);
    expect(named).toHaveLength(3);
    for (const name of named) expect(Object.keys(DEFAULTS)).toContain(name);
  });
});
