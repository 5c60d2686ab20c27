import type { Policy } from '../../../src/engine/index.js';
import { openEngine } from '../../support/engine.js';
import { outcomeOf, principalOf, yamlOf } from './support/acting-world.js';

const UNAVAILABLE = { code: 'auth-unavailable' };

/** Somebody who acts by a policy of the host, and one who is nobody's principal, to prepare things. */
async function by(policy: Policy) {
  const { engine, clock } = await openEngine({ say: () => 'said' }, { policy });
  await engine.workflows.register({ yaml: yamlOf('w') });
  const acting = engine.as(principalOf('ann'), { namespace: 'default' });
  return { engine, clock, acting };
}
const policyOf = (check: Policy['check'], scope: Policy['scope'] = () => 'all'): Policy => ({ check, scope });

it('a policy of the host decides in place of the grants', async () => {
  const asked: unknown[] = [];
  const { acting } = await by(
    policyOf((request) => {
      asked.push([request.principal.owner, request.action, request.resource]);
      return request.action === 'run:start';
    }),
  );
  expect(await acting.runs.start({ workflowId: 'w' })).toMatchObject({ status: 'running' });
  expect(await outcomeOf(() => acting.workflows.list())).toMatchObject({ code: 'forbidden' });
  expect(asked).toEqual([
    ['ann', 'run:start', { namespace: 'default', workflowId: 'w' }],
    ['ann', 'workflow:read', { namespace: 'default' }],
  ]);
});

it('a policy may answer later', async () => {
  const { acting } = await by({
    check: async ({ action }) => action !== 'run:steer',
    scope: async () => ['w'],
  });
  const { runId } = await acting.runs.start({ workflowId: 'w', sync: true });
  expect((await acting.runs.list()).items).toHaveLength(1);
  expect(await outcomeOf(() => acting.runs.cancel({ workflowId: 'w', runId }))).toMatchObject({
    code: 'forbidden',
  });
  const stream = acting.runs.streamPages({ workflowId: 'w', runId });
  expect((await stream.next()).value).toMatchObject([{ type: 'run.started' }, {}, {}, {}]);
  await stream.return(null);
});

it('a policy that shows by more patterns than anybody can be granted gives no answer', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);
  const whole = await by(
    policyOf(
      () => true,
      () => many(5_000),
    ),
  );
  expect(await whole.acting.runs.list()).toEqual({ items: [], next: null });
  const beyond = await by(
    policyOf(
      () => true,
      () => many(5_001),
    ),
  );
  expect(await outcomeOf(() => beyond.acting.runs.list())).toMatchObject(UNAVAILABLE);
});

it('what throws, rejects or answers something else is no yes', async () => {
  const faults: readonly (() => unknown)[] = [
    () => {
      throw new Error('broken');
    },
    () => Promise.reject(new Error('broken')),
    () => 'yes',
    () => Promise.resolve(1),
    () => undefined,
  ];
  for (const fault of faults) {
    const { acting } = await by(policyOf(fault as Policy['check']));
    expect(await outcomeOf(() => acting.runs.start({ workflowId: 'w' }))).toMatchObject(UNAVAILABLE);
    expect(await outcomeOf(() => acting.runs.list())).toMatchObject(UNAVAILABLE);
    expect(await outcomeOf(() => acting.runs.stream({ workflowId: 'w', runId: 'x' }))).toMatchObject(
      UNAVAILABLE,
    );
    const open = await by(policyOf(() => true, fault as Policy['scope']));
    expect(await outcomeOf(() => open.acting.runs.list())).toMatchObject(UNAVAILABLE);
    expect(await outcomeOf(() => open.acting.runs.streamAll())).toMatchObject(UNAVAILABLE);
    expect(await outcomeOf(() => open.acting.runs.watch())).toMatchObject(UNAVAILABLE);
  }
});

it('nor is one that takes longer than a second, and nothing was done by then', async () => {
  const { engine, clock, acting } = await by(policyOf(() => new Promise(() => undefined)));
  const starting = outcomeOf(() => acting.runs.start({ workflowId: 'w' }));
  await clock.advance(1_000);
  expect(await starting).toMatchObject(UNAVAILABLE);
  expect((await engine.runs.list()).items).toEqual([]);
});

it('a stream that nobody takes a step of leaves no rejection behind', async () => {
  const { acting } = await by(policyOf(() => Promise.reject(new Error('broken'))));
  acting.runs.stream({ workflowId: 'w', runId: 'x' });
  acting.runs.watch();
  acting.runs.export({ workflowId: 'w', runId: 'x' });
  // The process would end with one that nobody handles.
  await new Promise((resolve) => setImmediate(resolve));
  expect(await acting.may('run:read').catch(() => 'refused')).toBe('refused');
});
