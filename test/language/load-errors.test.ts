import { documentWith, flowOf, markedPlace, refusalOf, unitOf } from './support/faults.js';

/** The document with a mark before its fault, the fault's path, its message. */
type Case = readonly [name: string, text: string, path: string, message: string];

function areRefused(cases: readonly Case[]): void {
  it.each(cases)('%s', async (_name, text, path, message) => {
    const { type, message: sentence, details } = await refusalOf(text);
    const place = markedPlace(text);
    expect(details).toEqual([{ path, ...place, message }]);
    expect(type).toBe('YamlLoadError');
    expect(sentence).toContain(`The workflow cannot be loaded at ${place.line}:${place.column}: ${message}`);
  });
}

describe('a name that cannot be resolved is a load error:', () => {
  areRefused([
    [
      'an unknown unit in a flow, with the near name',
      documentWith(`
units:
  - { id: extract, uses: acme.work }
flow: { type: sequential, order: [»extrct] }`),
      '/spec/flow/order/0',
      'no unit is named extrct: did you mean extract?',
    ],
    [
      'an unknown unit that is near to none',
      flowOf('{ type: sequential, order: [a, »somethingElse] }'),
      '/spec/flow/order/1',
      'no unit is named somethingElse: add it to spec.units',
    ],
    [
      'an unknown unit deep inside of flows',
      flowOf(`
type: parallel
units:
  - type: loop
    do:
      type: switch
      cases: [{ if: 'true', do: »c }]`),
      '/spec/flow/units/0/do/cases/0/do',
      'no unit is named c: add it to spec.units',
    ],
    [
      'a flow that is an unknown unit',
      documentWith(`
units: [{ id: extract, uses: acme.work }]
flow: »extrakt`),
      '/spec/flow',
      'no unit is named extrakt: did you mean extract?',
    ],
    [
      'two units of one id',
      documentWith(`
units:
  - { id: a, uses: acme.work }
  - { id: »a, uses: acme.work }
flow: { type: sequential, order: [a] }`),
      '/spec/units/1/id',
      'two units are named a: rename one of them',
    ],
    [
      'a unit that is named twice in one flow',
      flowOf('{ type: sequential, order: [a, b, »a] }'),
      '/spec/flow/order/2',
      'the unit a is named twice in one flow: name it once',
    ],
    [
      'a unit that is named twice in a parallel',
      flowOf('{ type: parallel, units: [a, »a] }'),
      '/spec/flow/units/1',
      'the unit a is named twice in one flow: name it once',
    ],
    [
      'a `uses` that nothing answers to, with the near names',
      unitOf('uses: »acme.wrok'),
      '/spec/units/0/uses',
      'no unit answers to acme.wrok: did you mean acme.work?',
    ],
    [
      'a `uses` that is near to none',
      unitOf('uses: »other.thing-altogether'),
      '/spec/units/0/uses',
      'no unit answers to other.thing-altogether: bind it or register it',
    ],
    [
      'a built-in that does not exist',
      unitOf('uses: »builtin.moc'),
      '/spec/units/0/uses',
      'no unit answers to builtin.moc: did you mean builtin.mock or builtin.mcp or builtin.set?',
    ],
    [
      'an entry that names no unit',
      flowOf('{ type: sequential }', 'entry: »c'),
      '/spec/entry',
      'spec.entry names no unit: c is not in spec.units',
    ],
    [
      'a specialist that is no unit',
      flowOf(`
type: delegation
orchestrator: a
specialists:
  - »{ type: sequential, order: [b] }`),
      '/spec/flow/specialists/0',
      'a specialist must be a unit: the orchestrator names it by its unit id',
    ],
  ]);
});

describe('a dag that cannot run is a load error:', () => {
  areRefused([
    [
      'a cycle, with the way around it',
      flowOf(`
type: dag
executors: [a, b]
dependencies:
  a: »[b]
  b: [a]`),
      '/spec/flow/dependencies/a',
      'the dependencies form a cycle: a waits for b waits for a; take one of them out',
    ],
    [
      'an executor that waits for itself',
      flowOf(`
type: dag
executors: [a, b]
dependencies: { b: »[b] }`),
      '/spec/flow/dependencies/b',
      'the dependencies form a cycle: b waits for b; take one of them out',
    ],
    [
      'a dependency that is no executor',
      flowOf(`
type: dag
executors: [a, b]
dependencies: { b: [»c] }`),
      '/spec/flow/dependencies/b/0',
      'no executor of this dag is c; its executors are a, b',
    ],
    [
      'a dependency of a unit that is no executor',
      flowOf(`
type: dag
executors: [a]
dependencies: { b: »[a] }`),
      '/spec/flow/dependencies/b',
      'no executor of this dag is b; its executors are a',
    ],
  ]);
});

describe('an expression that does not compile is a load error:', () => {
  areRefused([
    [
      'in if',
      unitOf('uses: acme.work\nif: state.x »>'),
      '/spec/units/0/if',
      'the expression does not compile: ">" cannot stand here, or what follows it is incomplete',
    ],
    [
      'in until',
      flowOf("type: loop\ndo: a\nuntil: '1 »+'"),
      '/spec/flow/until',
      'the expression does not compile: "+" cannot stand here, or what follows it is incomplete',
    ],
    [
      'in a case',
      flowOf("type: switch\ncases: [{ if: '»nope', do: a }]"),
      '/spec/flow/cases/0/if',
      'the expression does not compile: "nope" is unknown: in scope are input, state, outputs, errors, run, now; a key of the state is state.nope',
    ],
    [
      'in items',
      flowOf("type: foreach\nitems: 'input».'\ndo: a"),
      '/spec/flow/items',
      'the expression does not compile: "." cannot stand here, or what follows it is incomplete',
    ],
    [
      'in with',
      unitOf("uses: acme.work\nwith: { deep: [1, '${{ 1 »+ }}'] }"),
      '/spec/units/0/with/deep/1',
      'the expression does not compile: "+" cannot stand here, or what follows it is incomplete',
    ],
    [
      'in a with that is one string',
      unitOf("uses: acme.work\nwith: '${{ »nope }}'"),
      '/spec/units/0/with',
      'the expression does not compile: "nope" is unknown: in scope are input, state, outputs, errors, run, now; a key of the state is state.nope',
    ],
    [
      'in values',
      unitOf("uses: builtin.set\nconfig: { values: { x: '»${{ } }}' } }"),
      '/spec/units/0/config/values/x',
      'the expression does not compile: this ${{ is never closed: end the expression with }}',
    ],
    [
      'in the config of a built-in',
      unitOf("uses: builtin.approval\nconfig: { title: 'Pay ${{ »amount }}?' }"),
      '/spec/units/0/config/title',
      'the expression does not compile: "amount" is unknown: in scope are input, state, outputs, errors, run, now; a key of the state is state.amount',
    ],
    [
      'with an end that is missing',
      unitOf("uses: acme.work\nwith: { x: '»${{ state.x' }"),
      '/spec/units/0/with/x',
      'the expression does not compile: this ${{ is never closed: end the expression with }}',
    ],
    [
      'a function that does not exist',
      unitOf('uses: acme.work\nif: »now() > 1'),
      '/spec/units/0/if',
      'the expression does not compile: there is no function "now": write now, without brackets',
    ],
  ]);
});

describe('a loop variable outside of its loop is a load error:', () => {
  areRefused([
    [
      'iteration',
      unitOf('uses: acme.work\nif: »iteration > 1'),
      '/spec/units/0/if',
      'the expression does not compile: "iteration" is only in scope inside a loop',
    ],
    [
      'item',
      unitOf("uses: acme.work\nwith: { x: '${{ »item }}' }"),
      '/spec/units/0/with/x',
      'the expression does not compile: "item" is only in scope inside a foreach',
    ],
    [
      'index',
      unitOf('uses: acme.work\nif: »index == 0'),
      '/spec/units/0/if',
      'the expression does not compile: "index" is only in scope inside a foreach',
    ],
    [
      'item in the items of its own foreach',
      flowOf("type: foreach\nitems: '»item.list'\ndo: a"),
      '/spec/flow/items',
      'the expression does not compile: "item" is only in scope inside a foreach',
    ],
    [
      'item under another name',
      documentWith(`
units: [{ id: a, uses: acme.work, with: { x: '\${{ »item }}' } }]
flow: { type: foreach, items: input.list, as: invoice, do: a }`),
      '/spec/units/0/with/x',
      'the expression does not compile: "item" is not in scope: the item of this foreach is called "invoice"',
    ],
    [
      'an item of an outer foreach',
      documentWith(`
units: [{ id: a, uses: acme.work, with: { x: '\${{ »outer }}' } }]
flow:
  type: foreach
  items: input.list
  as: outer
  do: { type: foreach, items: outer.list, as: inner, do: a }`),
      '/spec/units/0/with/x',
      'the expression does not compile: "outer" is the item of an outer foreach: only the nearest item is in scope',
    ],
    [
      'iteration in a unit that also runs outside of the loop',
      documentWith(`
units: [{ id: a, uses: acme.work, with: { x: '\${{ »iteration }}' } }]
flow: { type: sequential, order: [a, { type: loop, do: a }] }`),
      '/spec/units/0/with/x',
      'the expression does not compile: "iteration" is only in scope inside a loop',
    ],
  ]);
});

describe('a setting of a built-in that is wrong is a load error:', () => {
  areRefused([
    [
      'one that it does not have',
      unitOf('uses: builtin.approval\nconfig: { titel: »Pay? }'),
      '/spec/units/0/config/titel',
      'builtin.approval has no setting titel: its settings are title, description, payload, onReject, timeout, onTimeout; did you mean title?',
    ],
    [
      'one that is missing',
      unitOf('uses: builtin.set\nconfig: »{ }'),
      '/spec/units/0/config',
      'builtin.set needs values in its config',
    ],
    [
      'a reserved state key',
      unitOf('uses: builtin.set\nconfig: { values: { output.x: »1 } }'),
      '/spec/units/0/config/values/output.x',
      'the state key output.x is reserved: keys must not begin with output., errors. or hitl.',
    ],
    [
      'a reserved state key with a slash',
      unitOf('uses: builtin.set\nconfig: { values: { errors.a/b: »1 } }'),
      '/spec/units/0/config/values/errors.a~1b',
      'the state key errors.a/b is reserved: keys must not begin with output., errors. or hitl.',
    ],
    [
      'a reserved state key in with',
      unitOf('uses: builtin.set\nwith: { values: { hitl.x: »1 } }'),
      '/spec/units/0/with/values/hitl.x',
      'the state key hitl.x is reserved: keys must not begin with output., errors. or hitl.',
    ],
    [
      'more keys than are written at once',
      unitOf(
        `uses: builtin.set\nconfig: { values: »{ ${Array.from({ length: 10_001 }, (_, key) => `k${key}: 1`).join(', ')} } }`,
      ),
      '/spec/units/0/config/values',
      'values has 10001 keys at its top, more than 10000: put them into one object or list under a single key',
    ],
    [
      'values that are no map',
      unitOf('uses: builtin.set\nconfig: { values: »[1] }'),
      '/spec/units/0/config/values',
      'values must be an object: state key → value',
    ],
    [
      'an onReject of another kind',
      unitOf('uses: builtin.approval\nconfig: { onReject: »stop }'),
      '/spec/units/0/config/onReject',
      'onReject must be fail or continue',
    ],
    [
      'an onReject of another kind in with',
      unitOf('uses: builtin.approval\nwith: { onReject: »stop }'),
      '/spec/units/0/with/onReject',
      'onReject must be fail or continue',
    ],
    [
      'with as one text',
      unitOf("uses: builtin.set\nwith: »'${{ input }}'"),
      '/spec/units/0/with',
      'builtin.set takes its settings one by one: write them as fields',
    ],
  ]);
});

describe('a wait that cannot be is a load error:', () => {
  areRefused([
    [
      'without a length',
      unitOf('uses: builtin.wait\nconfig: »{}'),
      '/spec/units/0/config',
      'builtin.wait needs one of duration, durationMs, until: say how long, or until when',
    ],
    [
      'of two lengths',
      unitOf('uses: builtin.wait\nconfig: { durationMs: 1, until: »2027-01-31T09:00:00Z }'),
      '/spec/units/0/config/until',
      'builtin.wait takes one of durationMs and until: leave the others out',
    ],
    [
      'of months',
      unitOf('uses: builtin.wait\nconfig: { duration: »P1M }'),
      '/spec/units/0/config/duration',
      'duration: `P1M` has years or months, whose length varies: use weeks (`P4W`) or days (`P30D`)',
    ],
    [
      'of a negative time',
      unitOf('uses: builtin.wait\nwith: { durationMs: »-1 }'),
      '/spec/units/0/with/durationMs',
      'durationMs must be a number of milliseconds from 0 to 315576000000 (10 years)',
    ],
    [
      'until a time without an offset',
      unitOf("uses: builtin.wait\nconfig: { until: »'2027-01-31T09:00:00' }"),
      '/spec/units/0/config/until',
      'until must be an RFC 3339 instant with an offset, such as `2027-01-31T09:00:00Z`',
    ],
    [
      'until a day that is on no calendar',
      unitOf("uses: builtin.wait\nconfig: { until: »'2027-02-30T09:00:00Z' }"),
      '/spec/units/0/config/until',
      'until must be an RFC 3339 instant with an offset, such as `2027-01-31T09:00:00Z`',
    ],
  ]);
});

describe('a clean-up that cannot be is a load error:', () => {
  areRefused([
    [
      'of a unit that is not there',
      flowOf('a', 'onCancel: [»nobody]'),
      '/spec/onCancel/0',
      'no unit is named nobody: add it to spec.units',
    ],
    [
      'of one unit twice',
      flowOf('a', 'onCancel: [a, »a]'),
      '/spec/onCancel/1',
      'the unit a is named twice in one flow: name it once',
    ],
  ]);

  it('with a gate, a wait or a pause in it', async () => {
    const units = `
units:
  - { id: work, uses: acme.work }
  - { id: ask, uses: builtin.approval }
  - { id: rest, uses: builtin.wait, config: { durationMs: 1 } }
  - { id: stop, uses: acme.work, pause: after }`;
    const { details } = await refusalOf(documentWith(`${units}\nonCancel: [ask, rest, stop]\nflow: work`));
    expect(details.map(({ message }) => message)).toEqual([
      'builtin.approval cannot be run when a run is cancelled: name units that are called, or builtin.set',
      'builtin.wait cannot be run when a run is cancelled: name units that are called, or builtin.set',
      'the unit stop pauses the run: one that is run when a run is cancelled may not',
    ]);
  });
});

describe('a policy of the whole run is no policy of a unit:', () => {
  areRefused([
    [
      'a limit of the run in a unit',
      unitOf('uses: acme.work\npolicyOverrides: { concurrency: »{ maxParallelUnits: 2 } }'),
      '/spec/units/0/policyOverrides/concurrency',
      'concurrency is of the whole run: set it in spec.policy',
    ],
    [
      'the time of the run in a unit',
      unitOf('uses: acme.work\npolicyOverrides: { timeout: { workflowMs: »2 } }'),
      '/spec/units/0/policyOverrides/timeout/workflowMs',
      'timeout/workflowMs is of the whole run: set it in spec.policy',
    ],
  ]);
});

describe('an input schema that cannot be used is a load error:', () => {
  areRefused([
    [
      'a type that does not exist',
      flowOf('{ type: sequential }', 'input: { type: »objekt }'),
      '/spec/input/type',
      'spec.input.type must be one of `string`, `number`, `integer`, `boolean`, `object`, `array`, `null`, or a list of them, not `objekt`: did you mean `object`?',
    ],
    [
      'a reference to nowhere',
      flowOf('{ type: sequential }', "input: { $ref: »'#/$defs/none' }"),
      '/spec/input/$ref',
      'spec.input refers to #/$defs/none, which is not there: define it under $defs, or correct the reference',
    ],
    [
      'a pattern with a lookahead',
      flowOf('{ type: sequential }', "input: { properties: { id: { pattern: »'(?=a)b' } } }"),
      '/spec/input/properties/id/pattern',
      'the pattern "(?=a)b" cannot be used: error parsing regexp: invalid or unsupported Perl syntax: `(?=`; the syntax is RE2\'s, without lookaround and back-references',
    ],
    [
      'a pattern that repeats without measure',
      flowOf('{ type: sequential }', "input: { properties: { id: { pattern: »'(a{900}){900}' } } }"),
      '/spec/input/properties/id/pattern',
      'the pattern "(a{900}){900}" cannot be used: it is too long, or repeats too much: shorten it',
    ],
    [
      'an asynchronous schema',
      flowOf('{ type: sequential }', 'input: { $async: »true }'),
      '/spec/input/$async',
      'spec.input cannot be asynchronous: leave $async out',
    ],
  ]);
});
