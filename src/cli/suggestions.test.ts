import { meantCommand, meantOption } from './suggestions.js';

const COMMANDS = ['start', 'describe', 'diff', 'runs', 'apply', 'workflows', 'list', 'logs', 'cancel'];

describe('the command that was probably meant', () => {
  it.each([
    ['status', 'describe'],
    ['stauts', 'describe'],
    ['ps', 'runs'],
    ['register', 'apply'],
    ['LOGS', 'logs'],
    ['strat', 'start'],
    ['workflow', 'workflows'],
    ['stop', 'cancel'],
  ])('by %s is %s', (word, command) => {
    expect(meantCommand(word, COMMANDS)).toBe(command);
  });

  it('is none where none comes near, and none that there is not', () => {
    expect(meantCommand('frobnicate', COMMANDS)).toBeNull();
    expect(meantCommand('approve-all', COMMANDS)).toBeNull();
    expect(meantCommand('constructor', COMMANDS)).toBeNull();
  });
});

describe('the option that was probably meant', () => {
  it('is one that the command has', () => {
    expect(meantOption('inputs', ['input', 'bind'])).toBe('input');
    expect(meantOption('since', ['created-after'])).toBe('created-after');
    expect(meantOption('since', ['input'])).toBeNull();
  });
});
