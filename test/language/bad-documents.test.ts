import { documentWith, flowOf, markedPlace, refusalOf, unitOf } from './support/faults.js';

describe('a document that breaks the schema is a validation error:', () => {
  it.each([
    [
      'a wrong type',
      flowOf('{ type: parallel, units: »a }'),
      '/spec/flow/units',
      'spec.flow.units must be a list, not `a`',
    ],
    [
      'a field that does not exist',
      flowOf('{ type: parallel, units: [a], »reducr: b }'),
      '/spec/flow/reducr',
      'spec.flow has an unknown field `reducr`: did you mean `reducer`?',
    ],
    [
      'a flow type that does not exist',
      flowOf('type: »paralel\nunits: [a]'),
      '/spec/flow/type',
      'spec.flow.type must be one of `sequential`, `parallel`, `router`, `switch`, `loop`, `foreach`, `dag`, `delegation`, `try`, `race`, not `paralel`: did you mean `parallel`?',
    ],
    [
      'no units',
      documentWith('units: »[]\nflow: a'),
      '/spec/units',
      'spec.units must have at least one entry',
    ],
    [
      'an empty list of a flow',
      flowOf('{ type: dag, executors: »[] }'),
      '/spec/flow/executors',
      'spec.flow.executors must have at least one entry',
    ],
    [
      'a condition that is no text',
      unitOf('uses: acme.work\nif: »true'),
      '/spec/units/0/if',
      'spec.units[0].if must be an expression, not true: write it in quotes, "true"',
    ],
    [
      'items that are a list instead of CEL',
      flowOf('{ type: foreach, items: »[1, 2], do: a }'),
      '/spec/flow/items',
      'spec.flow.items must be an expression, not a list: write it in quotes, as in "[1, 2]", or name one, as in input.list',
    ],
    [
      'no attempt count',
      flowOf('{ type: sequential }', 'policy: { retry: { maxAttempts: »many } }'),
      '/spec/policy/retry/maxAttempts',
      'spec.policy.retry.maxAttempts must be a whole number, not `many`',
    ],
    [
      'a time below its bound',
      flowOf('{ type: sequential }', 'policy: { timeout: { unitMs: »0 } }'),
      '/spec/policy/timeout/unitMs',
      'spec.policy.timeout.unitMs must be at least 1, not 0',
    ],
    [
      'a reserved key to collect into',
      flowOf("{ type: foreach, items: 'input.x', do: a, collect: »output.all }"),
      '/spec/flow/collect',
      'spec.flow.collect must not be `__proto__` and must not begin with `output.`, `errors.` or `hitl.`, which the engine writes',
    ],
    [
      'a bad unit id',
      documentWith('units: [{ id: ».st, uses: acme.work }]\nflow: { type: sequential }'),
      '/spec/units/0/id',
      'spec.units[0].id must be a unit id: 1 to 256 letters and digits of any script, `_`, `.` or `-`, the first a letter, a digit or `_`',
    ],
    [
      'two conditions of a loop',
      flowOf("{ type: loop, do: a, untilStateKey: x, until: »'true' }"),
      '/spec/flow/until',
      'spec.flow.until cannot stand beside `untilStateKey`: keep one of the two',
    ],
  ])('%s', async (_name, text, path, message) => {
    const { type, details } = await refusalOf(text);
    expect(type).toBe('YamlValidationError');
    expect(details[0]).toEqual({ path, ...markedPlace(text), message });
  });
});

describe('bindings that cannot be used are a load error:', () => {
  const yaml = unitOf('uses: acme.remote');
  const good = { type: 'http', endpoint: 'http://127.0.0.1:9' };

  it.each([
    ['a list', [], 'bindings', 'bindings must be an object'],
    [
      'another type',
      { 'acme.remote': { ...good, type: 'grpc' } },
      'bindings["acme.remote"].type',
      'bindings["acme.remote"].type must be "http"',
    ],
    [
      'a field that does not exist',
      { 'acme.remote': { ...good, url: 'x' } },
      'bindings["acme.remote"]["url"]',
      'bindings["acme.remote"]["url"] is not a field of a binding; use type, endpoint, headers, callback, signingSecret, timeoutMs',
    ],
    [
      'callback',
      { 'acme.remote': { ...good, callback: true } },
      'bindings["acme.remote"].callback',
      'bindings["acme.remote"].callback is not supported yet; leave it out',
    ],
    [
      'signingSecret',
      { 'acme.remote': { ...good, signingSecret: 's' } },
      'bindings["acme.remote"].signingSecret',
      'bindings["acme.remote"].signingSecret is not supported yet; leave it out',
    ],
  ])('%s', async (_name, bindings, path, message) => {
    const { type, details } = await refusalOf(yaml, bindings);
    expect(type).toBe('YamlLoadError');
    expect(details).toEqual([{ path, line: null, column: null, message }]);
  });

  it('a name that is registered in process as well', async () => {
    const { type, details } = await refusalOf(unitOf('uses: acme.work'), { 'acme.work': good });
    expect(type).toBe('YamlLoadError');
    expect(details[0]).toMatchObject({
      path: '/spec/units/0/uses',
      message: 'acme.work is both registered in process and bound: take one of them away',
    });
  });
});

describe('the error of a registration', () => {
  it('reports all faults at once, in the order of the text', async () => {
    const { message, details } = await refusalOf(
      documentWith(`
entry: nobody
units:
  - { id: a, uses: acme.wrok, if: 'state.x >' }
  - { id: a, uses: builtin.later }
flow: { type: sequential, order: [a, c] }`),
    );
    expect(details.map(({ line, path }) => [line, path])).toEqual([
      [5, '/spec/entry'],
      [7, '/spec/units/0/uses'],
      [7, '/spec/units/0/if'],
      [8, '/spec/units/1/id'],
      [8, '/spec/units/1/uses'],
      [9, '/spec/flow/order/1'],
    ]);
    expect(message.split('\n')).toEqual([
      'The workflow cannot be loaded:',
      'at 5:10: spec.entry names no unit: nobody is not in spec.units',
      'at 7:22: no unit answers to acme.wrok: did you mean acme.work?',
      'at 7:46: the expression does not compile: ">" cannot stand here, or what follows it is incomplete',
      'at 8:13: two units are named a: rename one of them',
      'at 8:22: no unit answers to builtin.later: did you mean builtin.wait or builtin.set or builtin.fail?',
      'at 9:40: no unit is named c: add it to spec.units',
    ]);
  });

  it('has at most 100 faults, however many there are, and names twenty of them in its sentence', async () => {
    const units = Array.from({ length: 300 }, (_, index) => `  - { id: u${index}, uses: unknown.${index} }`);
    const { details, message } = await refusalOf(
      documentWith(`units:\n${units.join('\n')}\nflow: { type: sequential }`),
    );
    expect(details).toHaveLength(100);
    expect(message.split('\n')).toHaveLength(22);
    expect(message).toMatch(/unknown\.19: bind it or register it\nand 80 more in details$/);
  });
});
