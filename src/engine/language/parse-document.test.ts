import { FlowgateError } from '../../errors/flowgate-error.js';
import { YamlValidationError } from '../../errors/document-errors.js';
import { parseDocument } from './parse-document.js';

const OPTIONS = { apiGroups: ['flowgate'] };

function workflow(flow: string): string {
  return `apiVersion: flowgate/v1
kind: Workflow
metadata: { id: x }
spec:
  units:
    - { id: a, uses: acme.a }
    - { id: b, uses: acme.b }
  flow: ${flow}
`;
}

function refusal(yaml: string, options = OPTIONS): YamlValidationError {
  try {
    parseDocument(yaml, options);
  } catch (error) {
    if (error instanceof YamlValidationError) return error;
    throw error;
  }
  throw new Error('The document was accepted.');
}

describe('parsing a workflow', () => {
  it('gives the document as its author wrote it, without defaults', () => {
    const { document } = parseDocument(workflow('{ type: loop, do: a }'), OPTIONS);
    expect(document.spec.flow).toEqual({ type: 'loop', do: 'a' });
    expect(document.metadata).toEqual({ id: 'x' });
  });

  it('gives positions for the faults that are found later', () => {
    const { positions } = parseDocument(workflow('{ type: loop, do: a }'), OPTIONS);
    expect(positions.at('/spec/flow/do')).toEqual({ line: 8, column: 27 });
  });

  it('accepts each group of the setting, and names them when there is another', () => {
    const acme = workflow('a').replace('flowgate/v1', 'acme/v1');
    expect(parseDocument(acme, { apiGroups: ['flowgate', 'acme'] }).document.apiVersion).toBe('acme/v1');
    expect(refusal(acme, { apiGroups: ['flowgate', 'other'] }).message).toBe(
      'The workflow is not valid at 1:13: apiVersion names the group acme: this service takes flowgate/v1 and other/v1; set FLOWGATE_API_GROUP to take others.',
    );
  });

  it('throws an error whose sentence and whose details have all faults', () => {
    const error = refusal(workflow('{ type: parallel, maxConcurrency: 0 }'));
    expect(error).toBeInstanceOf(FlowgateError);
    expect(error).toMatchObject({ name: 'YamlValidationError', code: 'yaml-validation', retryable: false });
    expect(error.message).toBe(
      'The workflow is not valid:\nat 8:9: spec.flow.units is required\nat 8:43: spec.flow.maxConcurrency must be at least 1, not 0',
    );
    expect(error.details).toEqual([
      { path: '/spec/flow/units', line: 8, column: 9, message: 'spec.flow.units is required' },
      {
        path: '/spec/flow/maxConcurrency',
        line: 8,
        column: 43,
        message: 'spec.flow.maxConcurrency must be at least 1, not 0',
      },
    ]);
  });

  it('reads the text as YAML 1.2: `yes` and `on` are text, an octal-looking number is decimal', () => {
    const yaml = workflow('a').replace(
      'uses: acme.a',
      'uses: acme.a, config: { a: yes, b: on, c: 010, d: 1_0 }',
    );
    expect(parseDocument(yaml, OPTIONS).document.spec.units[0]!.config).toEqual({
      a: 'yes',
      b: 'on',
      c: 10,
      d: '1_0',
    });
  });

  it('keeps keys as the text that was written', () => {
    const yaml = workflow('{ type: router, routerUnit: a, routes: { true: b, 1.0: b, ~: b } }');
    expect(parseDocument(yaml, OPTIONS).document.spec.flow).toMatchObject({
      routes: { true: 'b', '1.0': 'b', '~': 'b' },
    });
  });

  it('does not take an inherited property for a field', () => {
    const { document } = parseDocument(
      workflow('{ type: router, routerUnit: a, routes: { x: b } }'),
      OPTIONS,
    );
    const routes = (document.spec.flow as { routes: Record<string, unknown> }).routes;
    expect(routes.constructor).toBeUndefined();
    expect(refusal(workflow('{ type: constructor }')).message).toContain('must be one of');
  });

  it('accepts a byte-order mark and Windows line ends, and counts lines and columns as an editor does', () => {
    const yaml = `\uFEFF${workflow('{ type: nope }').replaceAll('\n', '\r\n')}`;
    expect(refusal(yaml).details).toMatchObject([{ path: '/spec/flow/type', line: 8, column: 17 }]);
  });

  it('places a fault in what an alias stands for where that is written', () => {
    const yaml = workflow('a')
      .replace('uses: acme.a', 'uses: acme.a, policyOverrides: &p { retry: { maxAttempts: -1 } }')
      .replace('uses: acme.b', 'uses: acme.b, policyOverrides: *p');
    expect(refusal(yaml).details.map(({ path, line }) => [path, line])).toEqual([
      ['/spec/units/0/policyOverrides/retry/maxAttempts', 6],
      ['/spec/units/1/policyOverrides/retry/maxAttempts', 6],
    ]);
  });

  it('reads a document of 10,000 units', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `unit_${index}`);
    const units = ids.map(
      (id) => `    - id: ${id}\n      uses: acme.step\n      with: { task: "Do \${{ input.x }}" }\n`,
    );
    const yaml = `apiVersion: flowgate/v1\nkind: Workflow\nmetadata: { id: big }\nspec:\n  units:\n${units.join('')}  flow:\n    type: sequential\n    order: [${ids.join(', ')}]\n`;
    const before = process.cpuUsage();
    const { document, positions } = parseDocument(yaml, OPTIONS);
    // Some 0.4 s alone on a small machine; the bound only tells linear from quadratic, however busy the machine is.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(5_000);
    expect(document.spec.units).toHaveLength(10_000);
    expect(positions.at('/spec/units/9999/uses')).toEqual({ line: 5 + 3 * 9_999 + 2, column: 13 });
  });
});
