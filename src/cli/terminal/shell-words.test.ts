import { spawnSync } from 'node:child_process';
import { shellWords } from './shell-words.js';

describe('a command to be copied', () => {
  it('leaves plain words as they are, and quotes the others', () => {
    expect(shellWords(['flowgate', 'start', "it's $HOME", ''])).toBe(
      String.raw`flowgate start 'it'\''s $HOME' ''`,
    );
  });

  it('means in a shell what it was made of', () => {
    const words = ['a b', "c'd", '$(touch x)', '`x`', '!!', '-n', '*', 'é"\\'];
    const { stdout } = spawnSync('sh', ['-c', `printf '%s\\n' ${shellWords(words)}`], { encoding: 'utf8' });
    expect(stdout.trimEnd().split('\n')).toEqual(words);
  });

  it('holds nothing that moves the cursor', () => {
    expect(shellWords(['\u001b[2J'])).toBe("'\uFFFD[2J'");
  });
});
