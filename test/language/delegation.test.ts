import type { UnitHandler } from '../../src/engine/index.js';
import { echoes, gateUnit, refusal, run } from './support/runs.js';

type Delegations = readonly { readonly targetUnitId: string; readonly task?: unknown }[];

/** An orchestrator that hands out these rounds, one after another. */
function lead(...rounds: readonly Delegations[]): UnitHandler {
  const left = [...rounds];
  return ({ state }) => ({
    content: Object.keys(state).length,
    metadata: { delegations: left.shift() ?? [] },
  });
}

const units = [{ id: 'lead', uses: 'lead' }, ...echoes('coder', 'tester')];
const flow = { type: 'delegation', orchestrator: 'lead', specialists: ['coder', 'tester'] };

describe('a delegation', () => {
  it('runs what the orchestrator names, in order, and asks it again until it names nothing', async () => {
    const rounds = [[{ targetUnitId: 'coder' }, { targetUnitId: 'tester' }], [{ targetUnitId: 'coder' }]];
    const { called, record } = await run({ units, flow }, { lead: lead(...rounds) });
    expect(called).toEqual(['lead', 'coder', 'tester', 'lead', 'coder', 'lead']);
    expect(record.status).toBe('completed');
    expect(record.result?.completedUnits).toEqual(['lead', 'coder', 'tester']);
  });

  it('ends at once when nothing is delegated', async () => {
    expect((await run({ units, flow }, { lead: () => 'all done' })).called).toEqual(['lead']);
    expect((await run({ units, flow }, { lead: lead([]) })).called).toEqual(['lead']);
  });

  it('lays the task over the input of the specialist, and shows it in the messages', async () => {
    const specialists = [
      { id: 'lead', uses: 'lead' },
      { id: 'coder', uses: 'echo', with: { language: 'java', task: 'none' } },
    ];
    const task = { write: 'a test' };
    const { calls, record } = await run(
      { units: specialists, flow: { ...flow, specialists: ['coder'] } },
      { lead: lead([{ targetUnitId: 'coder', task }, { targetUnitId: 'coder' }]) },
    );
    expect(calls.map(({ input }) => input)).toEqual([
      {},
      { language: 'java', task },
      { language: 'java', task: 'none' },
      {},
    ]);
    expect(record.result?.messages.find(({ type }) => type === 'delegation')).toMatchObject({
      sourceUnitId: 'lead',
      targetUnitId: 'coder',
      task,
    });
  });

  it('shows the orchestrator what the specialists did', async () => {
    const { state } = await run(
      { units, flow },
      { lead: lead([{ targetUnitId: 'coder' }, { targetUnitId: 'tester' }]) },
    );
    expect(state['output.lead']).toBe(3);
  });

  it('fails when work is still handed out after maxRounds', async () => {
    const endless: UnitHandler = () => ({
      content: '',
      metadata: { delegations: [{ targetUnitId: 'coder' }] },
    });
    const { record, called } = await run({ units, flow: { ...flow, maxRounds: 2 } }, { lead: endless });
    expect(called).toEqual(['lead', 'coder', 'lead', 'coder', 'lead']);
    expect(record.error).toBe(
      'The delegation at /spec/flow still hands out work after 2 rounds: raise maxRounds or let /spec/flow/orchestrator come to an end.',
    );
  });

  it('has ten rounds by default', async () => {
    const endless: UnitHandler = () => ({
      content: '',
      metadata: { delegations: [{ targetUnitId: 'coder' }] },
    });
    const { called } = await run({ units, flow }, { lead: endless });
    expect(called.filter((unitId) => unitId === 'coder')).toHaveLength(10);
  });

  it.each([
    ['another unit', { targetUnitId: 'boss' }, '"boss"'],
    ['no unit', { task: 'x' }, 'null'],
  ])('fails when %s is named, and says who may be', async (_name, delegation, named) => {
    const { record } = await run({ units, flow }, { lead: lead([delegation as never]) });
    expect(record.error).toBe(
      `The delegation at /spec/flow was asked for ${named}; its specialists are coder, tester.`,
    );
  });

  it('continues in its round after a gate and after a failure', async () => {
    let isBroken = true;
    const mixed = [{ id: 'lead', uses: 'lead' }, gateUnit('ask'), { id: 'coder', uses: 'mends' }];
    const test = await run(
      { units: mixed, flow: { ...flow, specialists: ['ask', 'coder'] } },
      {
        lead: lead([{ targetUnitId: 'ask' }, { targetUnitId: 'coder' }]),
        mends: () => {
          if (isBroken) throw refusal('broken');
          return 'code';
        },
      },
    );
    expect(test.record.status).toBe('paused');
    expect((await test.approve('ask')).status).toBe('failed');
    isBroken = false;
    expect((await test.resume()).status).toBe('completed');
    expect(test.called).toEqual(['lead', 'coder', 'coder', 'lead']);
  });
});
