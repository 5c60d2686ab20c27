import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { checkedMcp } from '../../src/config/mcp-options.js';
import { SETTINGS } from '../../src/config/service/settings.js';
import { BUILT_IN_TOOLS } from '../../src/mcp/tools/tool-definitions.js';
import { selectTools } from '../../src/mcp/tools/tool-selection.js';
import { eventually } from '../support/eventually.js';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';
import { answerOfBlock, requestOfBlock, send, statusLineOf } from './support/exchange.js';
import { masked, shownAs } from './support/masked.js';
import { blocksOf, readPage } from './support/page-blocks.js';
import { codeIn, firstCode, tablesNamed } from './support/page-tables.js';

const PAGE = readPage('docs/mcp.md');
/** Sentences are found wherever the lines of the page end. */
const SENTENCES = PAGE.replaceAll(/\s+/g, ' ');
const ADDRESS = 'http://127.0.0.1:8787/mcp';
const INVOICE = readFileSync('examples/02-approval/workflow.yaml', 'utf8');

const blocks = blocksOf(PAGE);
const texts = (kind: string) => blocks.filter((block) => block.kind === kind).map(({ text }) => text);
const rowsOf = (first: string) => tablesNamed(PAGE, first).flatMap(({ rows }) => rows);
const numberIn = (cell = ''): number => Number(cell.replaceAll(',', ''));

let service: Service;
let workflows: Service;
const clients: Client[] = [];
beforeAll(async () => {
  service = await startService();
  await service.register(INVOICE);
  workflows = await startService({ FLOWGATE_MCP_WORKFLOW_TOOLS: 'true', FLOWGATE_MCP_WAIT_MS: '500' });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await Promise.all([service.close(), workflows.close()]);
});

async function connected({ url }: Service): Promise<Client> {
  const client = new Client({ name: 'page', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  clients.push(client);
  return client;
}
const call = async (client: Client, name: string, given: object, heard: string[] = []) =>
  (await client.callTool(
    { name, arguments: { ...given } },
    { onprogress: ({ message }) => heard.push(message ?? '') },
  )) as CallToolResult;
const recordIn = ({ structuredContent }: CallToolResult) => structuredContent as { readonly runId: string };

describe('how clients connect', () => {
  it('is shown with the address of the service, and as valid JSON', () => {
    const addresses = PAGE.match(/http:\/\/[^\s'"`)]+/g) ?? [];
    const inHost = 'http://127.0.0.1:3000/flowgate/mcp';
    expect(new Set(addresses)).toEqual(new Set([ADDRESS, inHost]));
    for (const text of texts('json')) expect(JSON.parse(text)).toBeInstanceOf(Object);
  });
});

describe('an exchange of the page', () => {
  const pairs = texts('http').reduce<[string, string][]>(
    (all, text) =>
      text.startsWith('HTTP/') ? [...all.slice(0, -1), [all.at(-1)?.[0] ?? '', text]] : [...all, [text, '']],
    [],
  );

  it.each(pairs.map(([asked, shown], nth) => ({ nth, asked, shown })))(
    'is answered as shown: $nth',
    async ({ asked, shown }) => {
      const got = await send(service, requestOfBlock(asked));
      const { status, body } = answerOfBlock(shown);
      expect([statusLineOf(got), masked(got.body)]).toEqual([status, shownAs(masked(body))]);
    },
  );
});

/** Of what it did, one thing can be undone, and another cannot. */
const SAGA = document(
  'saga',
  [
    mock('one', 1, { compensate: 'undo' }),
    mock('two', 1, { compensate: { unit: 'undo', with: '${{ done.nothing }}' } }),
    { id: 'stop', uses: 'builtin.fail', config: { message: 'no' } },
    mock('undo'),
  ],
  { flow: { type: 'sequential', order: ['one', 'two', 'stop'] } },
);

/** The tools of a cell such as "`default` without `respond_hitl`", in the order of the page. */
function documentedTools(cell: string, profile: 'official' | 'plain'): readonly string[] {
  const all = rowsOf('tool').map(({ cells }) => firstCode(cells[0]));
  const defaults = rowsOf('profile').find(
    ({ cells: [name, tools] }) => name === profile && firstCode(tools) === 'run_workflow',
  );
  const groups: Readonly<Record<string, readonly string[]>> = {
    extended: all,
    default: codeIn(defaults?.cells[1] ?? ''),
  };
  const [added = [], removed = []] = cell
    .split(' without ')
    .map((part) => codeIn(part).flatMap((name) => groups[name] ?? [name]));
  return all.filter((tool) => added.includes(tool) && !removed.includes(tool));
}

describe('the tools of the page', () => {
  it('are all there are, with what they say of themselves', () => {
    const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
    const [table] = tablesNamed(PAGE, 'tool');
    expect(table?.header.slice(2, 6)).toEqual(HINTS);
    const documented = table?.rows.map(({ cells: [tool, ...cells] }) => [
      firstCode(tool),
      ...cells.slice(0, 5),
    ]);
    const tools = [...BUILT_IN_TOOLS].map(([name, { details }]) => {
      const { title } = details;
      const annotations: Readonly<Record<string, boolean | undefined>> = details.annotations;
      return [name, title, ...HINTS.map((hint) => String(annotations[hint] ?? ''))];
    });
    expect(documented).toEqual(tools);
  });

  it.each(rowsOf('`FLOWGATE_MCP_TOOLS`').map(({ cells }) => cells))(
    'are those of each profile for %s',
    (setting, documented = '') => {
      const { tools } = checkedMcp({ tools: firstCode(setting).split(',') });
      const selected = selectTools(tools);
      expect([...selected.official]).toEqual(documentedTools(documented, 'official'));
      expect([...selected.plain]).toEqual(documentedTools(documented, 'plain'));
    },
  );

  it('are, without a choice, those of the default', () => {
    const { official, plain } = selectTools(checkedMcp().tools);
    const listed = rowsOf('profile').flatMap(({ cells: [profile, tools = ''] }) =>
      tools.startsWith('`run_workflow`') ? [[profile, codeIn(tools)]] : [],
    );
    expect(listed).toEqual([
      ['official', [...official]],
      ['plain', [...plain]],
    ]);
  });

  it('answer for a run as the page says, whatever became of it', async () => {
    await workflows.register(document('ends', [mock('a')]));
    await workflows.register(document('waits', [gate('agree')]));
    await workflows.register(document('lasts', [mock('a', 1, { config: { delayMs: 100_000 } })]));
    await workflows.register(
      document('breaks', [{ id: 'a', uses: 'builtin.fail', config: { message: 'no' } }]),
    );
    const client = await connected(workflows);
    const seen = new Map<string, CallToolResult>();
    for (const workflowId of ['ends', 'lasts', 'waits', 'breaks']) {
      const result = await call(client, 'run_workflow', { workflowId, sync: true });
      const { status } = result.structuredContent as { readonly status: string };
      seen.set(status, result);
    }
    const documented = rowsOf('a run that is').map(({ cells: [status = '', isError, next = ''] }) => [
      status,
      isError === 'true',
      next.startsWith('nothing') ? 1 : 2,
    ]);
    const got = [...seen].map(([status, { isError, content }]) => [status, isError === true, content.length]);
    expect(got).toEqual(documented);
    const failed = recordIn(seen.get('failed')!);
    const read = await call(client, 'get_run', { workflowId: 'breaks', runId: failed.runId });
    expect([read.isError, read.content.length]).toEqual([undefined, 2]);
  });

  it('are listed as workflows, named as the annotations of the document have it', async () => {
    const [yaml = ''] = texts('yaml');
    const client = await connected(workflows);
    const isOfPage = ({ title = '' }) => ['Write a report', 'monthly/report'].includes(title);
    const toolFor = async (text: string, name: string | undefined) => {
      await workflows.register(text);
      const list = async () => (await client.listTools()).tools.find(isOfPage);
      return eventually(list, (tool) => tool?.name === name);
    };
    expect(await toolFor(yaml, 'write_report')).toMatchObject({
      title: 'Write a report',
      description: 'Writes the report of a month.',
      inputSchema: { required: ['month'] },
    });
    const bare = yaml.replace(/^ {2}annotations:\n(?: {4}.*\n)+/m, '');
    const [, made] = /without the annotation this one is `(\w+)`/.exec(SENTENCES) ?? [];
    await toolFor(bare, made);
    await toolFor(yaml.replace('mcp.name: write_report', 'mcp.hidden: true'), undefined);
    const annotations = rowsOf('annotation').map(({ cells }) => firstCode(cells[0]));
    const source = readFileSync('src/mcp/official/tools/workflow-tools.ts', 'utf8');
    expect(annotations).toEqual([...source.matchAll(/'(mcp\.\w+)'/g)].map(([, name]) => name));
  });

  it('report progress in the words of the page', async () => {
    const skipped = mock('skipped', 1, { if: 'false' });
    await workflows.register(document('write', [mock('write'), skipped, gate('approve')]));
    const policyOverrides = { retry: { maxAttempts: 2, baseMs: 1 } };
    const config = { failTimes: 5 };
    await workflows.register(document('fails', [mock('write', 1, { config, policyOverrides })]));
    await workflows.register(SAGA);
    const client = await connected(workflows);
    const heard: string[] = [];
    for (const approved of [true, false]) {
      const { runId } = recordIn(
        await call(client, 'run_workflow', { workflowId: 'write', sync: true }, heard),
      );
      await call(client, 'respond_hitl', { workflowId: 'write', runId, approved }, heard);
    }
    await call(client, 'run_workflow', { workflowId: 'fails', sync: true }, heard);
    await call(client, 'run_workflow', { workflowId: 'saga', sync: true }, heard);
    const shape = (text: string) => text.replace(/\d+ ms/, 'ms').replace('skipped was', 'write was');
    const documented = rowsOf('a unit').flatMap(({ cells }) => codeIn(cells[1] ?? '').map(shape));
    // No gate of these runs closes without a decision.
    const met = documented.filter((text) => !text.includes('no more'));
    expect(heard.map(shape)).toEqual(expect.arrayContaining(met));
    const source = readFileSync('src/mcp/official/tools/progress.ts', 'utf8');
    // An approval is one line in the code, and two on the page.
    expect(documented).toHaveLength((source.match(/return [`']/g)?.length ?? 0) + 1);
  });
});

describe('what the page says of settings and limits', () => {
  it('names settings that there are, with their defaults', () => {
    const known = Object.values<{ readonly variable: string }>(SETTINGS).map(({ variable }) => variable);
    const named = new Set(PAGE.match(/FLOWGATE_[A-Z_]+/g));
    expect([...named].filter((name) => !known.includes(name))).toEqual([]);
    const own = known.filter((name) => name.startsWith('FLOWGATE_MCP_'));
    expect(own.filter((name) => !named.has(name))).toEqual([]);
    const { waitMs, maxSessions } = checkedMcp();
    expect(SENTENCES).toContain(`\`FLOWGATE_MCP_WAIT_MS\` (${waitMs / 1_000} seconds)`);
    expect(SENTENCES).toContain(`\`FLOWGATE_MCP_MAX_SESSIONS\` (${maxSessions})`);
  });

  it('has the numbers of the code', () => {
    const { waitMs, maxSessions } = checkedMcp();
    const numbers = [
      waitMs,
      maxSessions,
      constant('tools/official-tools', 'MAX_QUESTIONS'),
      constant('tools/approvals', 'ANSWER_MS'),
      constant('tools/approvals', 'ANSWER_SECONDS'),
      constant('tools/approvals', 'MAX_SHOWN_CHARS'),
      constant('../tools/workflow-page', 'PAGE_WORKFLOWS'),
      constant('tools/workflow-tools', 'PAGE_TOOLS'),
      constant('resources/prompts', 'MAX_GOAL_CHARS'),
      SETTINGS.maxBodyBytes.fallback,
      constant('message-bounds', 'MAX_REST_CHARS'),
      constant('message-bounds', 'MAX_ID_CHARS'),
      constant('message-bounds', 'MAX_BATCH'),
      constant('../tools/tool-operations', 'MAX_FOUND_CHARS'),
      constant('../tools/short-pages', 'PAGE_CHARS'),
    ];
    expect(rowsOf('limit').map(({ cells }) => numberIn(cells[1]))).toEqual(numbers);
    const long = constant('../../http/long-responses/long-response', 'MAX_SHORT_CHARS');
    const [value, state] = [
      constant('tools/summarised-record', 'MAX_VALUE_CHARS'),
      constant('tools/summarised-record', 'MAX_STATE_CHARS'),
    ];
    expect(SENTENCES).toContain(`more than ${long} characters`);
    expect(SENTENCES).toContain(`up to ${value} characters and ${state} in all`);
    expect(SENTENCES).toContain(`last ${constant('tools/summarised-record', 'MAX_MESSAGES')} messages`);
    expect(SENTENCES).toContain(
      `last ${constant('tools/summarised-record', 'MAX_COMPLETED_UNITS')} completed units`,
    );
    expect(SENTENCES).toContain(`${constant('tools/progress', 'TOLD_AT_ONCE')} steps`);
    expect([constant('sessions/sessions', 'IDLE_MS'), constant('tools/progress', 'THEN_EVERY_MS')]).toEqual([
      300_000, 100,
    ]);
    expect(readFileSync('src/mcp/official/sessions/sessions.ts', 'utf8')).toContain(
      'LIFETIME_SECONDS = 30 * 86_400;',
    );
  });

  it('leads to headings that there are', () => {
    const anchorsOf = (text: string) =>
      [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
    for (const [, page = '', anchor = ''] of PAGE.matchAll(/\]\((\w+\.md)?#([\w-]+)\)/g)) {
      const text = page === '' ? PAGE : readPage(`docs/${page}`);
      expect([`${page}#${anchor}`, anchorsOf(text).includes(anchor)]).toEqual([`${page}#${anchor}`, true]);
    }
  });
});

/** A number that only its own file needs. */
function constant(file: string, name: string): number {
  const source = readFileSync(`src/mcp/official/${file}.ts`, 'utf8');
  return Number(new RegExp(`^const ${name} = ([\\d_]+);`, 'm').exec(source)?.[1]?.replaceAll('_', ''));
}
