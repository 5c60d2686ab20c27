import assert from 'node:assert/strict';
import { mock } from '../../support/workflow-documents.ts';
import { runsOf } from '../support/caller.ts';
import { refused } from '../support/expectations.ts';
import { topic } from '../support/topic.ts';

/** A host knows its own pages; there this is off unless it is configured. */
export const webPages = topic('a request of a web page', {
  'of another origin is 403 where it would change something, and at the gateway': async (service) => {
    const id = await service.register([mock('a')]);
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      refused(await service.post(runsOf(id), {}, headers), 403, /./);
      refused(await service.post('/mcp', { id: 1, method: 'initialize' }, headers), 403, /./);
    }
  },
  'of its own origin, or of no page, is served': async (service) => {
    const id = await service.register([mock('a')]);
    for (const site of ['same-origin', 'none']) {
      const { status } = await service.post(runsOf(id), {}, { 'sec-fetch-site': site });
      assert.deepEqual([site, status], [site, 202]);
    }
  },
});
