import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { inSequence } from '../support/engine.js';
import { flowgate } from './support/built-cli.js';
import { folderWith } from './support/folder.js';

/** The schema of the standard, as its authors publish it: of an older draft, except for these two keywords. */
const require = createRequire(import.meta.url);
const {
  id: _id,
  $schema: _draft,
  ...schema
} = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as Record<string, unknown>;
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats.default(ajv);
const isSarif = ajv.compile(schema);

const BROKEN = `apiVersion: flowgate/v1
kind: Workflow
metadata: { id: broken }
spec:
  units:
    - { id: süß, uses: demo.greet, with: { name: "\${{ inputs.name }}" } }
    - { id: b, uses: builtin.mok }
  flow: { type: sequential, order: [süß, c] }
`;
const good = inSequence('good', [{ id: 'a', uses: 'demo.greet' }]);
const folder = folderWith({
  'all/broken.yaml': BROKEN,
  'all/good.yml': good,
  'all/sub/ignored.yaml': 'a: [',
  'all/notes.txt': 'no workflow',
  'syntax.yaml': 'kind: Workflow\nmetadata: { id: x\nspec: 1\n',
  'shape.yaml': 'apiVersion: flowgate/v1\nkind: Workflow\nmetadata: {}\nspec: { units: [], flow: 1 }\n',
  'bound.yaml': good,
  'bound.bindings.json': { 'demo.greet': { type: 'ftp', endpoint: 'x' } },
  'evil.yaml': `kind: "\u001B]0;pwned\u0007"\n`,
  'slow.yaml': inSequence('slow', [
    { id: 'a', uses: 'demo.greet', policyOverrides: { timeout: { unitMs: 5_000 } } },
  ]),
  'group.yaml': good.replace('flowgate/v1', 'acme/v1'),
});
const at = (name: string): string => join(folder.path, name);
afterAll(() => folder.remove());

describe('flowgate validate', () => {
  it('finds no fault in a good document, and says which names the server has to know', async () => {
    expect(await flowgate(['validate', 'good.yml'], { cwd: at('all') })).toEqual({
      code: 0,
      signal: null,
      stdout: 'good.yml is valid: workflow good\n  note: the server has to know demo.greet\n',
      stderr: '',
    });
  });

  it('names every fault of loading with its position, and points at it', async () => {
    const { code, stdout, stderr } = await flowgate(['validate', 'broken.yaml'], { cwd: at('all') });
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout.split('\n').filter((line) => line.startsWith('broken.yaml:'))).toEqual([
      expect.stringMatching(/^broken\.yaml:6:\d+: .*inputs.*\(\/spec\/units\/0\/with\/name\)$/),
      expect.stringMatching(
        /^broken\.yaml:7:\d+: no unit answers to builtin\.mok: did you mean builtin\.mock/,
      ),
      expect.stringMatching(/^broken\.yaml:8:\d+: .*\bc\b.*\(\/spec\/flow\/order\/1\)$/),
    ]);
    const [shown = '', caret = ''] = stdout.split('\n').slice(4, 6);
    expect(caret.indexOf('^')).toBe(shown.indexOf('builtin.mok'));
    expect(stdout).not.toContain('\u001B');
  });

  it('names faults of syntax and of shape', async () => {
    const syntax = await flowgate(['validate', at('syntax.yaml')]);
    expect(syntax.code).toBe(1);
    expect(syntax.stdout).toMatch(/syntax\.yaml:[23]:\d+: /);
    const shape = await flowgate(['validate', at('shape.yaml')]);
    expect(shape.stdout.match(/shape\.yaml:\d+:\d+: /g)?.length).toBeGreaterThan(1);
  });

  it('takes the documents of a folder, not those of the folders in it, and stdin', async () => {
    const { code, stdout } = await flowgate(['validate', at('all'), '-'], { stdin: good });
    expect(code).toBe(1);
    expect(stdout).toContain('stdin is valid');
    expect(stdout).not.toContain('ignored');
    expect(stdout).toMatch(/^3 documents: 3 faults in 1 of them$/m);
  });

  it('counts a name that nothing resolves as a fault once something is bound', async () => {
    const bind = ['--bind', 'demo.other=http://127.0.0.1:1/'];
    const { code, stdout } = await flowgate(['validate', ...bind, 'good.yml'], { cwd: at('all') });
    expect(code).toBe(1);
    expect(stdout).toContain('no unit answers to demo.greet');
    const bound = ['--bind', 'demo.greet=http://127.0.0.1:1/?a=b'];
    expect(await flowgate(['validate', ...bound, 'good.yml'], { cwd: at('all') })).toMatchObject({
      code: 0,
      stdout: 'good.yml is valid: workflow good\n',
    });
  });

  it('checks the bindings next to a document', async () => {
    const { code, stdout } = await flowgate(['validate', 'bound.yaml'], { cwd: folder.path });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^bound\.yaml: bindings\["demo\.greet"\]/);
  });

  it('lets nothing of a document move the cursor of a terminal', async () => {
    const { stdout } = await flowgate(['validate', at('evil.yaml')]);
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('takes the groups of apiVersion from the environment', async () => {
    const env = { FLOWGATE_API_GROUP: 'flowgate,acme' };
    expect((await flowgate(['validate', at('group.yaml')])).code).toBe(1);
    expect((await flowgate(['validate', at('group.yaml')], { env })).code).toBe(0);
  });

  it('takes the bounds and addresses of the environment', async () => {
    const env = { FLOWGATE_MAX_UNIT_MS: '1000', FLOWGATE_DENIED_ADDRESSES: '127.0.0.1' };
    const slow = await flowgate(['validate', at('slow.yaml')], { env });
    expect(slow.stdout).toContain('FLOWGATE_MAX_UNIT_MS');
    const bind = ['--bind', 'demo.greet=http://127.0.0.1:1/'];
    const denied = await flowgate(['validate', at('all/good.yml'), ...bind], { env });
    expect(denied.stdout).toContain('FLOWGATE_DENIED_ADDRESSES');
  });

  it('stops checking once there are 10,000 faults, and says so', async () => {
    const units = Array.from({ length: 100 }, (_, i) => ({ id: `u${i}`, uses: 'builtin.nope' }));
    const yaml = inSequence('hopeless', units);
    const names = Array.from({ length: 102 }, (_, i) => `${i}.yaml`);
    const hopeless = folderWith(Object.fromEntries(names.map((name) => [name, yaml])));
    const human = await flowgate(['validate', hopeless.path]);
    expect(human.stdout).toContain(
      'There are more faults than 10000: the rest was not looked at.\n100 documents',
    );
    const { files, isCut } = JSON.parse((await flowgate(['validate', '--json', hopeless.path])).stdout) as {
      files: unknown[];
      isCut: boolean;
    };
    expect([files.length, isCut]).toEqual([100, true]);
    hopeless.remove();
  });

  it('answers in JSON for programs', async () => {
    const { code, stdout } = await flowgate(['validate', '--json', 'broken.yaml', 'good.yml'], {
      cwd: at('all'),
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      files: [
        {
          file: 'broken.yaml',
          ok: false,
          workflowId: null,
          type: 'YamlLoadError',
          faults: expect.arrayContaining([
            { path: '/spec/units/1/uses', line: 7, column: 22, message: expect.any(String) },
          ]),
          warnings: [],
          warningDetails: [],
          unanswered: [],
        },
        {
          file: 'good.yml',
          ok: true,
          workflowId: 'good',
          type: null,
          faults: [],
          warnings: [],
          warningDetails: [],
          unanswered: ['demo.greet'],
        },
      ],
    });
  });

  it('answers in SARIF 2.1.0, with columns in UTF-16 units', async () => {
    const { code, stdout } = await flowgate(['validate', '--sarif', 'all', 'bound.yaml'], {
      cwd: folder.path,
    });
    expect(code).toBe(1);
    const log = JSON.parse(stdout) as SarifLog;
    expect([isSarif(log), isSarif.errors]).toEqual([true, null]);
    expect([log.version, log.runs.length, log.runs[0]?.columnKind]).toEqual(['2.1.0', 1, 'utf16CodeUnits']);
    const { tool, results = [] } = log.runs[0] ?? { tool: { driver: { name: '', rules: [] } } };
    expect(tool.driver.name).toBe('flowgate');
    for (const { ruleId, ruleIndex, level, message, locations } of results) {
      expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
      expect(['error', 'warning', 'note']).toContain(level);
      expect(message.text).not.toBe('');
      expect(locations).toHaveLength(1);
    }
    const mok = results.find(({ message }) => message.text.includes('builtin.mok'));
    expect(mok).toMatchObject({
      ruleId: 'YamlLoadError',
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'all/broken.yaml' },
            region: { startLine: 7, startColumn: 22 },
          },
          logicalLocations: [{ fullyQualifiedName: '/spec/units/1/uses' }],
        },
      ],
    });
    const outside = results.find(({ message }) => message.text.startsWith('bindings['));
    expect(outside?.locations[0]?.physicalLocation).toEqual({ artifactLocation: { uri: 'bound.yaml' } });
    expect(results.filter(({ level }) => level === 'note')).toHaveLength(1);
  });

  it('accepts all examples', async () => {
    const { code, stdout } = await flowgate(['validate', 'examples/01-hello', 'examples/02-approval']);
    expect([code, stdout.split('\n').at(-2)]).toEqual([0, '2 documents: no faults']);
  });
});

interface SarifLog {
  readonly version: string;
  readonly runs: readonly {
    readonly columnKind: string;
    readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly { id: string }[] } };
    readonly results?: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly { readonly physicalLocation: object }[];
    }[];
  }[];
}
