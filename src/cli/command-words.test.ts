import { inCommandWords } from './command-words.js';

describe('a message of the service on the command line', () => {
  it.each([
    [
      'Resume the run with a higher one: {"budget": {"maxTokens": …}}',
      'Resume the run with a higher one: flowgate resume <runId> --max-tokens …',
    ],
    [
      'its budget: {"budget": {"maxTokens": …, "maxCost": …}}',
      'its budget: flowgate resume <runId> --max-tokens … --max-cost …',
    ],
    [
      'http://x cannot be reached (ECONNREFUSED): is the service running, and is baseUrl its address?',
      'http://x cannot be reached (ECONNREFUSED): is the service running, and is --server its address?',
    ],
    [
      'Several gates are open: name one of them by gateId',
      'Several gates are open: name one of them with --gate',
    ],
    [
      'baseUrl is no address of HTTP: write it with its scheme, as in http://127.0.0.1:8787',
      '--server is no address of HTTP: write it with its scheme, as in http://127.0.0.1:8787',
    ],
    [
      'The workflow w has no version h: listVersions() names those that are kept',
      'The workflow w has no version h: flowgate versions <workflowId> names those that are kept',
    ],
  ])('names options: %s', (theirs, ours) => {
    expect(inCommandWords(theirs)).toBe(ours);
  });

  it('keeps what somebody else wrote', () => {
    const text = 'Unknown workflow: baseUrl {"budget": 1}';
    expect(inCommandWords(text)).toBe(text);
  });
});
