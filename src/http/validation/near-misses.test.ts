import { fieldMeantBy, nearMisses } from './near-misses.js';

const START = ['input', 'sync'];
const RESUME = ['snapshotId'];
const HITL = ['approved', 'responder', 'comment', 'gateId'];
const REGISTRATION = ['yaml', 'bindings'];
const TOOL = ['workflowId', 'runId', ...HITL];

describe('a near miss', () => {
  it.each([
    ['inputs', START, 'input'],
    ['Input', START, 'input'],
    ['INPUT', START, 'input'],
    ['imput', START, 'input'],
    ['inptu', START, 'input'],
    [' input', START, 'input'],
    ['synch', START, 'sync'],
    ['Sync', START, 'sync'],
    ['snyc', START, 'sync'],
    ['snapshotID', RESUME, 'snapshotId'],
    ['snapshot_id', RESUME, 'snapshotId'],
    ['snapshot-id', RESUME, 'snapshotId'],
    ['snapshot', RESUME, 'snapshotId'],
    ['snapshotIds', RESUME, 'snapshotId'],
    ['snapsotId', RESUME, 'snapshotId'],
    ['approve', HITL, 'approved'],
    ['aproved', HITL, 'approved'],
    ['approval', HITL, 'approved'],
    ['respnder', HITL, 'responder'],
    ['responder_', HITL, 'responder'],
    ['comments', HITL, 'comment'],
    ['coment', HITL, 'comment'],
    ['gateid', HITL, 'gateId'],
    ['gate_id', HITL, 'gateId'],
    ['gate', HITL, 'gateId'],
    ['binding', REGISTRATION, 'bindings'],
    ['Bindings', REGISTRATION, 'bindings'],
    ['yml', REGISTRATION, 'yaml'],
    ['YAML', REGISTRATION, 'yaml'],
    ['workflowID', TOOL, 'workflowId'],
    ['workflow', TOOL, 'workflowId'],
    ['run_id', TOOL, 'runId'],
  ])('%j among %j means %s', (name, known, meant) => {
    expect(fieldMeantBy(name, known)).toBe(meant);
  });

  it.each([
    '',
    'in',
    'id',
    'by',
    'x',
    'labels',
    'tags',
    'name',
    'data',
    'extra',
    'async',
    'output',
    'since',
    'priority',
  ])('%j is a name of its own in every body', (name) => {
    for (const known of [START, RESUME, HITL, REGISTRATION, TOOL])
      expect(fieldMeantBy(name, known)).toBeNull();
  });

  it.each([
    ['approvedBy', HITL],
    ['approved_at', HITL],
    ['approver_name', HITL],
    ['commentId', HITL],
    ['content', HITL],
    ['context', HITL],
    ['reason', HITL],
    ['gateway', HITL],
    ['inputId', START],
    ['inputSchema', START],
    ['runId', START],
    ['workflowId', START],
    ['path', REGISTRATION],
    ['namespace', REGISTRATION],
    ['snapshots', START],
    ['__proto__', START],
    ['constructor', START],
  ])('%j is a name of its own among %j', (name, known) => {
    expect(fieldMeantBy(name, known)).toBeNull();
  });

  it('names the nearest where two are near', () => {
    expect(fieldMeantBy('rune', ['runs', 'run'])).toBe('runs');
    expect(fieldMeantBy('runss', ['run', 'runs'])).toBe('runs');
  });

  it('is never a field that is known itself', () => {
    expect(nearMisses({ input: 1, inputs: 2 }, ['input', 'inputs'], 'field of this body')).toEqual([]);
  });

  it('is said once each, and what is shown of it is one line', () => {
    const given = { inputs: 1, 'sync\n': 2, colour: 'red' };
    expect(nearMisses(given, START, 'field of this body')).toEqual([
      { path: 'inputs', message: 'inputs is no field of this body: did you mean input?' },
      { path: 'sync\n', message: '"sync\\n" is no field of this body: did you mean sync?' },
    ]);
  });

  it('is looked for among the first thousand unknown fields', () => {
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, i]));
    const missesOf = (given: object) => nearMisses(given, START, 'field of this body').length;
    expect(missesOf({ ...unknown(999), inputs: {} })).toBe(1);
    expect(missesOf({ ...unknown(1_000), inputs: {} })).toBe(0);
  });
});
