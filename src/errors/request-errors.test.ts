import { InvalidInputError, InvalidRequestError } from './request-errors.js';

const faults = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ path: `/f${i}`, message: `f${i} must be a number` }));

describe('an input that does not fit', () => {
  it('with one fault says it in one sentence', () => {
    const error = new InvalidInputError(faults(1));
    expect(error.message).toBe('The input does not fit the workflow: f0 must be a number');
    expect(error.details).toEqual(faults(1));
  });

  it('names every fault, one per line', () => {
    expect(new InvalidInputError(faults(3)).message).toBe(
      'The input does not fit the workflow:\nf0 must be a number\nf1 must be a number\nf2 must be a number',
    );
  });

  it('names 20, and says how many more stand in details', () => {
    expect(new InvalidInputError(faults(20)).message.split('\n')).toHaveLength(1 + 20);
    const lines = new InvalidInputError(faults(23)).message.split('\n');
    expect(lines).toHaveLength(1 + 20 + 1);
    expect(lines.at(-1)).toBe('and 3 more in details');
  });

  it('carries at most 100 faults', () => {
    const error = new InvalidInputError(faults(500));
    expect(error.details).toHaveLength(100);
    expect(error.message.split('\n').at(-1)).toBe('and 80 more in details');
  });
});

describe('a request of the wrong shape', () => {
  it('with one fault says just that', () => {
    const error = InvalidRequestError.naming([{ path: 'sync', message: 'sync must be true or false' }]);
    expect(error).toMatchObject({
      message: 'sync must be true or false',
      details: [{ path: 'sync', message: 'sync must be true or false' }],
      detail: undefined,
    });
  });

  it('gives each fault one line, whatever is written in it', () => {
    const { message } = InvalidRequestError.naming([{ path: 'a', message: 'a \n b' }, ...faults(1)]);
    expect(message).toBe('a b\nf0 must be a number');
  });
});
