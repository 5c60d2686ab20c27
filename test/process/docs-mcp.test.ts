import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { selectTools } from '../../src/mcp/tools/tool-selection.js';
import { blocksOf, readPage } from '../docs/support/page-blocks.js';
import { startService, type Service } from '../support/service.js';

const FOLDER = '.tmp/mcp-page';
const ADDRESS = 'http://127.0.0.1:8787/mcp';
const run = promisify(execFile);

const snippets = blocksOf(readPage('docs/mcp.md'))
  .filter(({ kind }) => kind === 'ts')
  .map(({ text }) => text);

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(readFileSync('examples/02-approval/workflow.yaml', 'utf8'));
});
afterAll(() => service.close());

describe('the TypeScript of the page of MCP', () => {
  it('compiles', () => {
    expect(snippets).toHaveLength(2);
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    snippets.forEach((text, i) => writeFileSync(`${FOLDER}/snippet-${i}.ts`, text));
    const compilerOptions = { rootDir: '../..', paths: { flowgate: ['../../src/index.ts'] } };
    const config = {
      extends: '../../tsconfig.json',
      compilerOptions,
      include: ['snippet-*.ts'],
      exclude: [],
    };
    writeFileSync(`${FOLDER}/tsconfig.json`, JSON.stringify(config));
    const compiled = () => {
      try {
        return execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', FOLDER], {
          encoding: 'utf8',
        });
      } catch (error) {
        return (error as { readonly stdout: string }).stdout;
      }
    };
    expect(compiled()).toBe('');
  }, 60_000);

  it('runs, and the person is asked', async () => {
    const [snippet = ''] = snippets;
    writeFileSync(`${FOLDER}/run.mjs`, snippet.replace(ADDRESS, `${service.url}/mcp`));
    const { stdout } = await run(process.execPath, [`${FOLDER}/run.mjs`], { timeout: 30_000 });
    const [tools, ...lines] = stdout.trim().split('\n');
    expect(tools).toBe([...selectTools(['default']).official].join(' '));
    expect(lines).toContain('approve waits for a person');
    expect(lines).toContain('Pay 120 for INV-7?');
    expect(lines).toContain("  status: 'completed',");
  }, 60_000);
});
