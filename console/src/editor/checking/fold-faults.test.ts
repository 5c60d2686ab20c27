import { foldFaults } from './fold-faults.js';

const at = (line: number, message: string, column = 1) => ({ path: '', line, column, message });
const said = (details: readonly ReturnType<typeof at>[], doubts: readonly ReturnType<typeof at>[] = []) => ({
  ok: details.length === 0,
  details,
  warnings: doubts.map(({ message }) => message),
  warningDetails: doubts.map((doubt) => ({ ...doubt, code: 'unused-unit' })),
});
const shown = (known: Parameters<typeof foldFaults>[0]) =>
  foldFaults(known).map(({ kind, line, message }) => `${kind} ${line}: ${message}`);

describe('what stands against a text', () => {
  it('is what the reader says at once, and what the service says once the reader has nothing', () => {
    const service = said([at(3, 'no unit answers')]);
    expect(shown({ reader: [at(2, 'is required')], service })).toEqual(['fault 2: is required']);
    expect(shown({ reader: [], service })).toEqual(['fault 3: no unit answers']);
  });

  it('stays what the service said while the text is read again', () => {
    expect(shown({ reader: null, service: said([at(3, 'a')]) })).toEqual(['fault 3: a']);
  });

  it('is in the order of the text, doubts among faults', () => {
    const service = said([at(5, 'b'), at(1, 'a', 9)], [at(5, 'd'), at(1, 'c', 2)]);
    expect(shown({ reader: [], service })).toEqual(['fault 1: a', 'doubt 1: c', 'fault 5: b', 'doubt 5: d']);
  });

  it('has doubts without a line of a service that names none', () => {
    const service = { ok: true, details: [], warnings: ['it is long'] };
    expect(shown({ reader: [], service })).toEqual(['doubt null: it is long']);
  });

  it('is nothing as long as nobody said anything', () => {
    expect(shown({ reader: null, service: null })).toEqual([]);
  });
});
