import { readingOf } from './text-reading.js';

const GOOD = `apiVersion: acme/v1
kind: Workflow
metadata: { id: w }
spec:
  units:
    - id: a
      uses: builtin.mock
    - { id: b, uses: builtin.mock }
  flow: { type: sequential, order: [a, b] }
`;

describe('what a text says by itself', () => {
  it('is its flow, its names, and where its units stand', () => {
    const { faults, names, flow, unitLines } = readingOf(GOOD);
    expect(faults).toEqual([]);
    expect(names.unitIds).toEqual(['a', 'b']);
    expect(flow).toMatchObject({ workflowId: 'w', root: { type: 'sequential' } });
    expect([...unitLines]).toEqual([
      ['a', { first: 6, last: 7 }],
      ['b', { first: 8, last: 8 }],
    ]);
  });

  it('is a fault at its line, and no flow, where the schema is broken', () => {
    const { faults, flow, names } = readingOf(GOOD.replace('uses: builtin.mock\n', 'use: builtin.mock\n'));
    expect(faults.map(({ line, message }) => [line, message])).toEqual([
      [6, 'spec.units[0].uses is required'],
      [7, expect.stringContaining('did you mean `uses`?')],
    ]);
    expect(flow).toBeNull();
    expect(names.unitIds).toEqual(['a', 'b']);
  });

  it('still has names while it is no YAML', () => {
    const { faults, names } = readingOf(`${GOOD}  onCancel: [a`);
    expect(faults).not.toEqual([]);
    expect(names.unitIds).toEqual(['a', 'b']);
  });

  it('is not drawn where it has thousands of parts', () => {
    const ids = Array.from({ length: 3_000 }, (_, index) => `u${index}`);
    const text = JSON.stringify({
      apiVersion: 'flowgate/v1',
      kind: 'Workflow',
      metadata: { id: 'w' },
      spec: { units: ids.map((id) => ({ id, uses: 'x' })), flow: { type: 'sequential', order: ids } },
    });
    expect(readingOf(text)).toMatchObject({ faults: [], flow: 'too-large' });
  });
});
