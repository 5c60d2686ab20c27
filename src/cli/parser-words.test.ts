import { parserWords } from './parser-words.js';

const fork = { usage: 'diff <workflowId> [from] [to]', options: ['server', 'json', 'created-after'] };

describe('what yargs finds wrong', () => {
  it('names what is missing, and where to find it', () => {
    expect(parserWords('Not enough non-option arguments: got 0, need at least 1', fork)).toBe(
      '<workflowId> is missing: write flowgate diff <workflowId> [from] [to] (flowgate workflows lists them).',
    );
    const two = { ...fork, usage: 'move <from> <to>' };
    expect(parserWords('Not enough non-option arguments: got 1, need at least 2', two)).toBe(
      '<to> is missing: write flowgate move <from> <to>.',
    );
    expect(parserWords('Not enough non-option arguments: got 0, need at least 2', two)).toBe(
      '<from> and <to> are missing: write flowgate move <from> <to>.',
    );
  });

  it('names what was probably meant, for each word that is unknown', () => {
    expect(parserWords('Unknown arguments: sever, jsn', fork)).toBe(
      'Unknown arguments: sever, jsn. Did you mean --server and --json?',
    );
    expect(parserWords('Unknown argument: zzz\u001b[2J', fork)).toBe('Unknown argument: zzz\uFFFD[2J');
  });

  it('leaves other sentences as they are', () => {
    expect(parserWords('Arguments json and output are mutually exclusive', fork)).toBe(
      'Arguments json and output are mutually exclusive',
    );
  });
});
