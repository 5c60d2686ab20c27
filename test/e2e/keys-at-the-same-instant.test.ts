import { InMemoryRunStore, SqliteRunStore, type FlowgateModuleOptions } from '../../src/index.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { startHosted } from '../support/hosted-service.js';
import type { Answer, Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

const ROUNDS = 12;
type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

/** How many of the responses have each status. */
function statuses(answers: readonly Answer[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe.each(['sqlite', 'memory'] as const)(
  'one Idempotency-Key with two contents at the same instant, in the %s store',
  (kind) => {
    let folder: Folder;
    let service: Service;
    beforeAll(async () => {
      folder = await temporaryFolder();
      const store: FlowgateModuleOptions['store'] =
        kind === 'memory'
          ? new InMemoryRunStore()
          : new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
      service = await startHosted({ store });
      await service.register(document('plain', [mock('a')]));
      await service.register(document('gated', [gate('ask', { onReject: 'continue' })]));
      await service.register(
        document('paused', [mock('a', 1, { pause: 'after' }), mock('b', 1, { pause: 'after' }), mock('c')]),
      );
    });
    afterAll(async () => {
      await service.close();
      await folder.remove();
    });

    /** Sends four requests at once, with one key: each content twice. */
    const race = (path: string, key: string, contents: readonly [object, object]) =>
      Promise.all(
        [0, 1, 0, 1].map((which) => service.post(path, contents[which], { 'Idempotency-Key': key })),
      );

    /** Expects that one content was carried out and repeated, and the other was refused; and the same again later. */
    const expectOneWinner = async (
      path: string,
      key: string,
      contents: readonly [object, object],
      ok: number,
    ) => {
      const answers = await race(path, key, contents);
      expect(statuses(answers)).toEqual({ [ok]: 2, 409: 2 });
      const winner = answers[0]!.status === ok ? 0 : 1;
      expect(answers.map(({ status }) => status)).toEqual(
        [0, 1, 0, 1].map((which) => (which === winner ? ok : 409)),
      );
      expect((await race(path, key, contents)).map(({ status }) => status)).toEqual(
        answers.map(({ status }) => status),
      );
      for (const { body } of answers.filter(({ status }) => status === 409)) {
        expect(body).toEqual({
          error: expect.stringContaining(key),
          code: 'idempotency-conflict',
          type: 'IdempotencyConflictError',
        });
      }
      return answers.filter(({ status }) => status === ok);
    };

    it('starts one run, and refuses the other content', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const contents = [
          { input: { n: 1 }, sync: true },
          { input: { n: 2 }, sync: true },
        ] as const;
        const won = await expectOneWinner('/workflows/plain/runs', `start ${round}`, contents, 202);
        expect(new Set(won.map(({ body }) => body.runId)).size).toBe(1);
      }
    });

    it('decides a gate one way, and refuses the other decision', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { runId } = await service.start('gated');
        const path = `/workflows/gated/runs/${runId}/hitl`;
        const [first] = await expectOneWinner(
          path,
          `decide ${round}`,
          [{ approved: true }, { approved: false }],
          200,
        );
        const { state } = (await service.run({ workflowId: 'gated', runId })).result!;
        expect(state['hitl.approved']).toBe(first!.body.result.state['hitl.approved']);
      }
    });

    it('resumes a run one way, and refuses the other', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { runId } = await service.start('paused');
        const path = `/workflows/paused/runs/${runId}`;
        await service.post(`${path}/resume`, {});
        const { body } = await service.get(`${path}/snapshots`);
        const snapshotId = body.snapshots.at(-1).snapshotId as string;
        await expectOneWinner(`${path}/resume`, `resume ${round}`, [{}, { snapshotId }], 200);
      }
    });

    it('is a key of the one run only: two runs with the same key do not conflict', async () => {
      const runs = await Promise.all(Array.from({ length: 6 }, () => service.start('gated')));
      const answers = await Promise.all(
        runs.map(({ runId }, index) =>
          service.post(
            `/workflows/gated/runs/${runId}/hitl`,
            { approved: index % 2 === 0 },
            { 'Idempotency-Key': 'of many runs' },
          ),
        ),
      );
      expect(answers.map(({ status, body }) => [status, body.result?.state['hitl.approved']])).toEqual(
        runs.map((_, index) => [200, index % 2 === 0]),
      );
    });
  },
);
