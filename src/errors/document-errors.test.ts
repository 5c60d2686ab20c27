import { faultSentence, YamlLoadError, YamlValidationError } from './document-errors.js';

const HERE = { path: '/spec/flow', line: 3, column: 7, message: 'spec.flow is required' };

describe('the sentence of an error with faults', () => {
  it.each([
    ['one fault', [HERE], 'Bad at 3:7: spec.flow is required.'],
    ['a fault outside the text', [{ ...HERE, line: null, column: null }], 'Bad: spec.flow is required.'],
    ['a question', [{ ...HERE, message: 'did you mean `order`?' }], 'Bad at 3:7: did you mean `order`?'],
    ['no fault', [], 'Bad.'],
  ])('with %s', (_name, faults, sentence) => {
    expect(faultSentence('Bad', faults)).toBe(sentence);
  });

  it('names several faults, each on a line of its own', () => {
    const question = { ...HERE, line: 4, message: 'did you mean `order`?' };
    const binding = { ...HERE, line: null, column: null, message: 'bindings must be an object' };
    const torn = { ...HERE, line: 5, message: 'this is\n no YAML' };
    expect(faultSentence('Bad', [HERE, question, binding, torn]).split('\n')).toEqual([
      'Bad:',
      'at 3:7: spec.flow is required',
      'at 4:7: did you mean `order`?',
      'bindings must be an object',
      'at 5:7: this is no YAML',
    ]);
  });

  it.each([
    [20, 21, 'at 3:7: spec.flow is required'],
    [21, 22, 'and 1 more in details'],
    [100, 22, 'and 80 more in details'],
  ])('of %d faults has %d lines', (faults, lines, last) => {
    const sentence = faultSentence(
      'Bad',
      Array.from({ length: faults }, () => HERE),
    ).split('\n');
    expect(sentence).toHaveLength(lines);
    expect(sentence.at(-1)).toBe(last);
  });
});

describe('the errors of a workflow document', () => {
  it.each([
    [YamlValidationError, 'YamlValidationError', 'yaml-validation', 'The workflow is not valid at 3:7: '],
    [YamlLoadError, 'YamlLoadError', 'yaml-load', 'The workflow cannot be loaded at 3:7: '],
  ])('carry their class, code and faults', (ErrorClass, name, code, opening) => {
    const error = new ErrorClass([HERE]);
    expect(error).toMatchObject({ name, code, retryable: false, details: [HERE] });
    expect(error.message).toBe(`${opening}spec.flow is required.`);
  });

  it('carry at most 100 faults', () => {
    expect(new YamlLoadError(Array.from({ length: 500 }, () => HERE)).details).toHaveLength(100);
  });
});
