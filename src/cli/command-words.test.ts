import { inCommandWords, storedInCommandWords } from './command-words.js';

describe('a message of the service on the command line', () => {
  it.each([
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

describe('an error that is stored with a run', () => {
  const used =
    'Unit a was not called: the run has used 5 of 5 tokens, its budget. Resume the run with a higher one: ';

  it.each([
    ['{"budget": {"maxTokens": …}}', 'flowgate resume <runId> --max-tokens …'],
    ['{"budget": {"maxTokens": …, "maxCost": …}}', 'flowgate resume <runId> --max-tokens … --max-cost …'],
  ])('names options where it says how a budget is raised: %s', (fields, options) => {
    expect(storedInCommandWords(used + fields)).toBe(used + options);
  });

  it.each([
    'Unit a failed: give a new one',
    'Unit a failed: send {"budget": {"maxTokens": 5}} with it',
    'Unit a failed: The idempotencyKey k, is baseUrl its address?',
  ])('is what a unit has said otherwise: %s', (text) => {
    expect(storedInCommandWords(text)).toBe(text);
  });
});
