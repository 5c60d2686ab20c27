import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FlowgateClient, FlowgateValidationError } from 'flowgate-client';
import { document, mock } from '../../../../test/support/workflow-documents.js';

const client = new FlowgateClient({
  fetch: () => Promise.reject(new Error('Nobody is to be asked.')),
  baseUrl: 'http://nowhere.invalid',
});
const refused = (source: string) =>
  client.validateYaml(source).then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => error as FlowgateValidationError,
  );

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flowgate-sources-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('a source is', () => {
  it('the path of a readable file, whatever its name', async () => {
    const path = file('ünïcödé "quoted" .txt', `\uFEFF${document('in a file', [mock('a')])}`);
    expect(await client.validateYaml(path)).toEqual({ ok: true, workflowId: 'in a file' });
    symlinkSync(path, join(folder, 'link.yaml'));
    expect(await client.validateYaml(join(folder, 'link.yaml'))).toMatchObject({ ok: true });
  });

  it('else the text itself, on one line or many', async () => {
    const yaml = document('inline', [mock('a')]);
    expect(await client.validateYaml(yaml)).toEqual({ ok: true, workflowId: 'inline' });
    expect(await client.validateYaml(`\n${yaml}\n`)).toEqual({ ok: true, workflowId: 'inline' });
  });

  it('the text where the name is one of a folder, a pipe or a device, and then says so', async () => {
    const pipe = join(folder, 'pipe.yaml');
    execFileSync('mkfifo', [pipe]);
    mkdirSync(join(folder, 'sub'));
    for (const path of [pipe, join(folder, 'sub'), '/dev/zero']) {
      const { message, faults } = await refused(path);
      expect(faults[0]?.message).toContain('must be a map');
      expect(message).toContain(`${path} is no file`);
    }
  });

  it('the text where there is no such file, and then says so', async () => {
    const path = join(folder, 'wrokflow.yaml');
    const { message } = await refused(path);
    expect(message).toContain('must be a map');
    expect(message).toContain(`a file ${path} cannot be read (ENOENT)`);
    expect((await refused('hello')).message).not.toContain('file');
  });
});

describe('a file', () => {
  it('that is too large is not read', async () => {
    const path = file('large.yaml', 'x'.repeat(2 * 1024 * 1024 + 1));
    const { faults, status, type } = await refused(path);
    expect(faults).toEqual([
      { path: '', line: 1, column: 1, message: 'the text has 2097153 bytes: a workflow may have 2097152' },
    ]);
    expect({ status, type }).toEqual({ status: 400, type: 'YamlValidationError' });
  });

  it('that is not UTF-8 is refused', async () => {
    const path = file('latin.yaml', Buffer.from('metadata: { id: "\xfc" }', 'latin1'));
    expect((await refused(path)).message).toContain('not UTF-8');
  });
});

describe('what is wrong in a workflow', () => {
  it('is said all at once, with its places, before anybody is asked', async () => {
    const yaml =
      'apiVersion: flowgate/v1\nkind: Workflw\nmetadata: { id: a }\nspec: { units: [], flow: 7 }\n';
    const error = await refused(yaml);
    expect(error).toBeInstanceOf(FlowgateValidationError);
    expect(error.faults.map(({ line, column, path }) => [line, column, path])).toEqual([
      [2, 7, '/kind'],
      [4, 16, '/spec/units'],
      [4, 26, '/spec/flow'],
    ]);
    for (const { message } of error.faults) expect(error.message).toContain(message);
    expect(error.details).toEqual(error.faults);
    await expect(client.loadAndRegister(yaml)).rejects.toEqual(error);
  });

  it('is said of every one of many faults', async () => {
    const units = Array.from({ length: 60 }, (_, i) => `    - { id: u${i}, uses: 7 }`).join('\n');
    const error = await refused(
      `apiVersion: flowgate/v1\nkind: Workflow\nmetadata: { id: a }\nspec:\n  flow: u0\n  units:\n${units}`,
    );
    expect(error.faults).toHaveLength(60);
    for (const { line, column, message } of error.faults)
      expect(error.message).toContain(`at ${line}:${column}: ${message}`);
  });
});

describe('an apiVersion of another group', () => {
  const acme = document('a', [mock('a')]).replace('flowgate/v1', 'acme/v1');

  it('is refused, with what to do', async () => {
    expect((await refused(acme)).message).toContain(
      'set FLOWGATE_API_GROUP to take others, and apiGroups of the client',
    );
  });

  it('is taken where apiGroups names it, in process too', async () => {
    const other = new FlowgateClient({ apiGroups: ['flowgate', 'ACME'] });
    expect(await other.validateYaml(acme)).toEqual({ ok: true, workflowId: 'a' });
    expect(await other.loadAndRegister(acme)).toEqual({ workflowId: 'a' });
    await other.close();
  });
});

it('data that is no JSON is refused with a sentence', async () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  await expect(client.validateYaml(circle as never)).rejects.toThrow('it refers to itself');
  await expect(client.validateYaml({ a: Infinity } as never)).rejects.toThrow('a is Infinity');
});
