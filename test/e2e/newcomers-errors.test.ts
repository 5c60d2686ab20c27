import type { Answer, Body } from '../support/service.js';
import { startService, type Service } from '../support/service.js';
import { bound, document, gate, mock, remote } from '../support/workflow-documents.js';
import { startUnitServer } from '../support/unit-server.js';

const HELLO = `apiVersion: flowgate/v1
kind: Workflow
metadata: { id: hello }
spec:
  units:
    - { id: greet, uses: demo.greet }
  flow: greet
`;

let service: Service;
let runs: Readonly<Record<'OVER' | 'OPEN' | 'TWO', string>>;
beforeAll(async () => {
  service = await startService();
  await service.register(document('hello', [mock('a')]));
  await service.register(
    document('strict', [mock('a')], {
      input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    }),
  );
  await service.register(document('gated', [gate('ask')]));
  const parallel = { flow: { type: 'parallel', units: ['one', 'two'] } };
  await service.register(document('two', [gate('one'), gate('two')], parallel));
  const [over, open, two] = [
    await service.start('hello'),
    await service.start('gated'),
    await service.start('two'),
  ];
  runs = { OVER: over.runId, OPEN: open.runId, TWO: two.runId };
});
afterAll(() => service.close());

const start = (workflowId: string, body: unknown) => service.post(`/workflows/${workflowId}/runs`, body);
const decide = (workflowId: string, run: keyof typeof runs, body: unknown) =>
  service.post(`/workflows/${workflowId}/runs/${runs[run]}/hitl`, body);
const asText = { 'content-type': 'text/plain' };

/** What the answer says to its reader; ids as names. */
function saidIn({ status, body }: Answer): Body {
  const { error, detail, warnings } = body as Body;
  const said = { status, ...(error === undefined ? {} : { error }) };
  const more = {
    ...(detail === undefined ? {} : { detail }),
    ...(warnings === undefined ? {} : { warnings }),
  };
  const text = Object.entries(runs).reduce(
    (all, [name, id]) => all.replaceAll(id, name),
    JSON.stringify({ ...said, ...more }),
  );
  return JSON.parse(text);
}

/** What the review quotes of HTTP, or found silent, and what is said today. */
const QUOTED: readonly (readonly [what: string, ask: () => Promise<Answer>, today: object])[] = [
  [
    'README’s own hello.yaml, without its unit',
    () => service.post('/workflows/from-yaml', HELLO, { 'content-type': 'application/yaml' }),
    {
      status: 400,
      error: 'The workflow cannot be loaded at 6:26: no unit answers to demo.greet: bind it or register it.',
    },
  ],
  [
    'helo for hello',
    () => start('helo', {}),
    { status: 500, error: 'Unknown workflow: helo', detail: 'Did you mean hello?' },
  ],
  [
    'a rejection in a run that is over',
    () => decide('hello', 'OVER', { approved: false }),
    {
      status: 500,
      error: 'Unknown run: OVER',
      detail: 'The run is over (completed): nobody waits for this decision any more.',
    },
  ],
  [
    'a document without a content type',
    () => service.post('/workflows/from-yaml', HELLO, asText),
    {
      status: 400,
      error: `The body is not JSON (Unexpected token 'a', "apiVersion"... is not valid JSON): send a JSON object, or the document itself with the header Content-Type: application/yaml, uncompressed and in UTF-8`,
    },
  ],
  [
    'POST /workflows',
    () => service.post('/workflows', {}),
    {
      status: 405,
      error: 'POST is not possible here: use GET or HEAD',
      detail: 'Did you mean POST /workflows/from-yaml, or POST /workflows/validate?',
    },
  ],
  [
    'POST /runs',
    () => service.post('/runs', {}),
    {
      status: 405,
      error: 'POST is not possible here: use GET or HEAD',
      detail: 'Did you mean POST /workflows/:id/runs, or POST /runs/import?',
    },
  ],
  [
    '?state=paused',
    () => service.get('/runs?state=paused'),
    { status: 400, error: 'state is no parameter here: did you mean status?' },
  ],
  [
    '?sort=asc',
    () => service.get('/runs?sort=asc'),
    { status: 400, error: 'sort is no parameter here: the order of a list is fixed; leave it out' },
  ],
  [
    '?parentRunId=',
    () => service.get('/runs?parentRunId=x'),
    { status: 400, error: 'parentRunId is no parameter here: did you mean parent?' },
  ],
  [
    '?workflow=',
    () => service.get('/runs?workflow=hello'),
    { status: 400, error: 'workflow is no parameter here: did you mean workflowId?' },
  ],
  [
    '?labels=',
    () => service.get('/runs?labels=a'),
    { status: 400, error: 'labels is no parameter here: did you mean label?' },
  ],
  [
    '?status=cancelled',
    () => service.get('/runs?status=cancelled'),
    {
      status: 400,
      error:
        'status must be one or more of pending, running, paused, completed, failed: runs that were cancelled are those with cancelled=true',
    },
  ],
  [
    'an input without input',
    () => start('hello', { name: 'Ada' }),
    {
      status: 202,
      warnings: [
        'name is not read: what a run works with stands under input, and this start gives none: send { "input": { … } }',
      ],
    },
  ],
  [
    '"wait": true',
    () => start('hello', { input: {}, wait: true }),
    { status: 202, warnings: ['wait is not read: for an answer once the run has stopped send "sync": true'] },
  ],
  [
    '"inputs"',
    () => start('hello', { inputs: {} }),
    { status: 400, error: 'inputs is no field of this body: did you mean input?' },
  ],
  [
    'an input that breaks its schema',
    () => start('strict', { input: { name: 1 } }),
    { status: 400, error: 'The input does not fit the workflow: input.name must be string' },
  ],
  [
    'a decision with data, payload and reason',
    () => decide('gated', 'OPEN', { approved: true, data: {}, payload: {}, reason: 'fine' }),
    {
      status: 200,
      warnings: [
        'data is not read: a decision carries no data: approved, responder and comment are all that units see of it',
        'payload is not read: a decision carries no data: approved, responder and comment are all that units see of it',
        'reason is not read: what is kept with a decision is "comment"',
      ],
    },
  ],
  [
    'a decision where two gates are open',
    () => decide('two', 'TWO', { approved: true }),
    { status: 409, error: 'Several gates are open: name one of them by gateId' },
  ],
  [
    'a run by its id alone that is none',
    () => service.get('/runs/x'),
    {
      status: 404,
      error: 'Unknown run: x',
      detail:
        'GET /runs lists the runs that are kept, and GET /runs?id=… those whose id begins so; one that ended long ago may have been deleted (FLOWGATE_RETENTION_DAYS).',
    },
  ],
  [
    'DELETE of a run',
    () => service.call('DELETE', `/workflows/hello/runs/${runs.OVER}`),
    {
      status: 405,
      error: 'DELETE is not possible here: use GET or HEAD',
      detail:
        'POST …/cancel ends a run; it is deleted by itself when it has been over for as long as FLOWGATE_RETENTION_DAYS says.',
    },
  ],
];

describe('what newcomers were told over HTTP', () => {
  it.each(QUOTED)('of %s is quoted anew', async (_what, ask, today) => {
    expect(saidIn(await ask())).toEqual(today);
  });

  it('of the address that the terminal prints leads on', async () => {
    const { status, body } = await service.get('/');
    expect(status).toBe(200);
    expect(body).toMatchObject({ addresses: { docs: 'docs', console: 'console/', workflows: 'workflows' } });
  });
});

/** What the review quotes of runs that failed or wait. */
describe('what newcomers read in a run', () => {
  const errorOf = async (yaml: string, bindings?: object): Promise<string | undefined> => {
    const { error } = await service.start(await service.register(yaml, bindings));
    return error;
  };

  it('of a unit that refused says how the unit put it', async () => {
    const declined = await startUnitServer({ status: 402, body: { error: 'card declined' } });
    const error = await errorOf(document('charge', [remote('charge')]), bound('charge', declined.url));
    await declined.close();
    expect(error).toBe('Unit charge failed after 1 attempt(s): HTTP 402: {"error":"card declined"}');
  });

  it('of a length says how many there are', async () => {
    const reading = mock('a', 1, { if: 'input.x.length > 1' });
    const { runId } = (
      await start(await service.register(document('length', [reading])), { input: { x: 'ab' }, sync: true })
    ).body as Body;
    expect((await service.get(`/runs/${runId}`)).body.error).toBe(
      'Unit a: The expression `input.x.length > 1` has no value: "length" is missing; how many there are is size(input.x).',
    );
  });

  it('of a workflow that nobody has registered says what to do', async () => {
    const child = { id: 'sub', uses: 'builtin.workflow', config: { workflowId: 'nobody' } };
    expect(await errorOf(document('parent', [child]))).toBe(
      'Unit sub failed: there is no workflow nobody: register it, then resume the run',
    );
  });
});
