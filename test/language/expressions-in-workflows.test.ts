import { run } from './support/runs.js';

/** What the `with` of one unit becomes. */
async function evaluated(value: unknown, input: object = {}) {
  const { record, calls } = await run(
    { units: [{ id: 'u', uses: 'echo', with: { value } }], flow: 'u' },
    {},
    input as never,
  );
  return record.status === 'failed' ? record.error : (calls[0]!.input as { value: unknown }).value;
}

const input = {
  n: 1,
  half: 0.5,
  list: [1, 2],
  name: 'Ann',
  nothing: null,
  nested: { a: { b: true } },
  big: 9_007_199_254_740_991,
};

describe('a template', () => {
  it.each<readonly [unknown, unknown]>([
    ['${{ input.n }}', 1],
    ['  ${{ input.n }}  ', 1],
    ['n=${{ input.n }}', 'n=1'],
    ['${{ input.n }}${{ input.n }}', '11'],
    ['${{ input.list }}', [1, 2]],
    ['list: ${{ input.list }}', 'list: [1,2]'],
    ['${{ input.nested }}!', '{"a":{"b":true}}!'],
    ['is ${{ input.nothing }}', 'is null'],
    ['${{ input.nothing }}', null],
    ['$${{ input.n }}', '${{ input.n }}'],
    ['{{ input.n }} and ${ input.n }', '{{ input.n }} and ${ input.n }'],
    ['${{ "}}" }}', '}}'],
    ['${{ {"a": {"b": 1}} }}', { a: { b: 1 } }],
    [
      ['${{ input.n }}', { deep: '${{ input.name }}' }, 3],
      [1, { deep: 'Ann' }, 3],
    ],
    ['', ''],
  ])('%j is %j', async (value, expected) => {
    expect(await evaluated(value, input)).toEqual(expected);
  });

  it('never evaluates a value that came in: a template in the input stays text', async () => {
    expect(await evaluated('${{ input.name }}', { name: '${{ run.runId }}' })).toBe('${{ run.runId }}');
  });

  it('leaves keys as they are', async () => {
    expect(await evaluated({ '${{ input.n }}': 1 }, input)).toEqual({ '${{ input.n }}': 1 });
  });

  it('in the config of a unit that is called is handed on as it is written', async () => {
    const config = { text: '${{ input.n }}' };
    const { calls } = await run({ units: [{ id: 'u', uses: 'echo', config }], flow: 'u' });
    expect(calls[0]!.context.config).toEqual(config);
  });
});

describe('numbers in expressions', () => {
  it.each<readonly [string, unknown]>([
    ['input.n + 1', 2],
    ['1 + input.half', 1.5],
    ['input.n / 2', 0.5],
    ['3 / 2', 1],
    ['size(input.list) + 0.5', 2.5],
    ['input.n == 1', true],
    ['input.n == 1.0', true],
    ['input.big', 9_007_199_254_740_991],
    ['-input.n', -1],
    ['input.list[0] + input.list[1]', 3],
  ])('%s is %j', async (source, expected) => {
    expect(await evaluated(`\${{ ${source} }}`, input)).toEqual(expected);
  });

  it('refuse an integer that JSON cannot hold, instead of giving another one', async () => {
    const answer = await evaluated('${{ 9007199254740993 }}');
    expect(answer).toContain('2^53');
  });
});

describe('a missing field', () => {
  it.each([
    ['input.missing', 'input.missing'],
    ['state.missing.deeper', 'state.missing'],
    // The unit itself has not run yet; a read that cannot be checked beforehand is left to the run.
    ['outputs["u" + ""]', 'outputs["u" + ""]'],
    ['state["output.nobody"]', 'output.nobody'],
    ['input.list[7]', 'input.list[7]'],
  ])('%s fails the run and the error names the expression', async (source, named) => {
    expect(await evaluated(`\${{ ${source} }}`, input)).toContain(named);
  });

  it.each<readonly [string, unknown]>([
    ['has(state.missing)', false],
    ['has(input.nested.a)', true],
    ['"output.nobody" in state', false],
    ['has(state.missing) ? state.missing : "none"', 'none'],
    ['has(outputs.nobody)', false],
  ])('is asked for by %s', async (source, expected) => {
    expect(await evaluated(`\${{ ${source} }}`, input)).toEqual(expected);
  });
});

describe('an expression', () => {
  it('sees the run it is of, and nothing of the world around it', async () => {
    const { calls, address, record } = await run({
      units: [{ id: 'u', uses: 'echo', with: { run: '${{ run }}' } }],
      flow: 'u',
    });
    expect(calls[0]!.input).toEqual({ run: { ...address, createdAt: record.createdAt } });
  });

  it('fails its branch only, where the flow around it says so', async () => {
    const { state } = await run({
      units: [
        { id: 'bad', uses: 'echo', if: 'state.nope' },
        { id: 'good', uses: 'echo' },
      ],
      flow: { type: 'parallel', units: ['bad', 'good'], failureStrategy: 'best-effort' },
    });
    expect(Object.keys(state).toSorted()).toEqual(['errors.bad', 'output.good']);
  });

  it('that would run forever ends with an error that says what to do', async () => {
    const list = Array.from({ length: 1_000 }, (_, index) => index);
    const error = await evaluated('${{ input.list.map(a, input.list.map(b, a * b)) }}', { list });
    expect(error).toMatch(/comprehension steps|loop over fewer items/);
  });
});
