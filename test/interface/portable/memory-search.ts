import assert from 'node:assert/strict';
import { mock } from '../../support/workflow-documents.ts';
import type { Body } from '../support/caller.ts';
import { refused } from '../support/expectations.ts';
import { topic } from '../support/topic.ts';

export const memorySearch = topic('GET /memory/search', {
  'finds what units said, best first, and says where': async (service) => {
    const word = service.id('fox').replace('-', '');
    const said = [mock('a', `the quick ${word}`), mock('b', `${word} and much else that is of another kind`)];
    const { runId, workflowId } = await service.run(said);
    const { status, body } = await service.eventually(
      () => service.get(`/memory/search?q=quick%20${word}&topK=2`),
      ({ results }) => results.length === 2,
    );
    assert.equal(status, 200);
    const [best, next] = body.results;
    assert.equal(best.content, `the quick ${word}`);
    assert.deepEqual(
      [best.metadata.workflowId, best.metadata.runId, best.metadata.unitId],
      [workflowId, runId, 'a'],
    );
    assert.ok(best.score <= 1 && best.score >= next.score && next.score > 0);
    assert.equal(typeof best.id, 'string');
  },
  'gives five unless topK says how many, and no more than a hundred': async (service) => {
    const word = service.id('walrus').replace('-', '');
    await service.run(Array.from({ length: 7 }, (_, at) => mock(`u${at}`, `${word} number ${at}`)));
    const search = (more: string) => service.get(`/memory/search?q=${word}${more}`);
    await service.eventually(
      () => search('&topK=100'),
      ({ results }) => results.length === 7,
    );
    const counts = await Promise.all(['', '&topK=1', '&topK=100000'].map(search));
    assert.deepEqual(
      counts.map(({ body }: Body) => body.results.length),
      [5, 1, 7],
    );
  },
  'is 400 without q, and empty for an empty one': async (service) => {
    refused(await service.get('/memory/search'), 400, /q/);
    const { status, body } = await service.get('/memory/search?q=');
    assert.deepEqual([status, body], [200, { results: [] }]);
  },
  'is 400 for a topK that is no number from 1 on, and for a repeated parameter': async (service) => {
    for (const query of ['topK=0', 'topK=-1', 'topK=x', 'topK=', 'topK=true', 'topK=1&topK=2'])
      refused(await service.get(`/memory/search?q=x&${query}`), 400, /topK/);
    refused(await service.get('/memory/search?q=x&q=y'), 400, /q/);
  },
});
