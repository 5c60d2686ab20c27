import { faultSentence, YamlLoadError, YamlValidationError } from './document-errors.js';

const HERE = { path: '/spec/flow', line: 3, column: 7, message: 'spec.flow is required' };

describe('the sentence of an error with faults', () => {
  it.each([
    ['one fault', [HERE], 'Bad at 3:7: spec.flow is required.'],
    ['two faults', [HERE, HERE], 'Bad at 3:7: spec.flow is required (and 1 more fault in details).'],
    ['three faults', [HERE, HERE, HERE], 'Bad at 3:7: spec.flow is required (and 2 more faults in details).'],
    ['a fault outside the text', [{ ...HERE, line: null, column: null }], 'Bad: spec.flow is required.'],
    ['a question', [{ ...HERE, message: 'did you mean `order`?' }], 'Bad at 3:7: did you mean `order`?'],
    ['no fault', [], 'Bad.'],
  ])('with %s', (_name, faults, sentence) => {
    expect(faultSentence('Bad', faults)).toBe(sentence);
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
