import { AmbiguousGateError, DecidedGateError, IncompatibleDefinitionError } from './run-errors.js';

const gates = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    gateId: index,
    unitId: 'ask',
    title: 'Go on?',
    responder: 'ann',
  }));

describe('an error about the gates or locations of a run', () => {
  it('lists a hundred of them at most', () => {
    const errors = [
      new AmbiguousGateError(gates(3_000)),
      new DecidedGateError(gates(3_000)),
      new IncompatibleDefinitionError(
        'elsewhere',
        gates(3_000).map(({ gateId }) => `/${gateId}`),
      ),
    ];
    for (const { details } of errors) expect(details).toHaveLength(100);
  });

  it('says how many gates are open where it does not list all of them', () => {
    expect(new AmbiguousGateError(gates(101)).message).toMatch(/; details have 100 of 101$/);
    expect(new AmbiguousGateError(gates(100)).message).toMatch(/ by gateId$/);
  });
});
