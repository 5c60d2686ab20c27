import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import yargs from 'yargs';
import { FlowgateClient } from '../../clients/typescript/src/index.js';
import type { JsonValue } from '../../clients/typescript/src/types/json.js';
import { actOf, type Act, type Connection } from '../../console/src/code/act.js';
import { asCommand } from '../../console/src/code/as-command.js';
import { asJava } from '../../console/src/code/as-java.js';
import { asTypeScript } from '../../console/src/code/as-typescript.js';
import { asCurl } from '../../console/src/code/curl.js';
import { forkCommand } from '../../src/cli/remote/commands/fork-command.js';
import * as runCommands from '../../src/cli/remote/commands/run-commands.js';

const hostile = `it's "$HOME" \`id\` \\u0022 \${1} <b>\n-- x`;
const run = {
  workflowId: `a/b ${hostile.replace('\n', ' ')}`,
  runId: '01a1f0c2-7c1e-7000-8000-000000000000',
};
const acts: readonly Act[] = [
  { kind: 'start', workflowId: run.workflowId, input: { [hostile]: [hostile, 1, null] } },
  { kind: 'resume', ...run, snapshotId: null },
  { kind: 'resume', ...run, snapshotId: `${run.runId}.7` },
  { kind: 'cancel', ...run, by: 'ann' },
  { kind: 'pause', ...run, by: hostile },
  { kind: 'compensate', ...run, by: 'ann' },
  { kind: 'decide', ...run, approved: true, responder: 'ann', gateId: 4, comment: hostile },
  { kind: 'decide', ...run, approved: false, responder: 'bob', gateId: null, comment: null },
  { kind: 'fork', ...run },
  {
    kind: 'fork',
    ...run,
    from: { snapshotId: `${run.runId}.3` },
    state: { a: hostile },
    definition: 'current',
  },
  { kind: 'fork', ...run, from: { unitId: 'pay', occurrence: 2 }, input: { a: 1 }, unitInput: [hostile] },
];
const reading: readonly Act[] = [
  { kind: 'read', ...run },
  { kind: 'watch', ...run },
];
const connection: Connection = {
  baseUrl: 'https://flows.example/api',
  isTokenNeeded: true,
  namespace: 'team-a',
};
const named = (all: readonly Act[]) => all.map((act) => [act.kind, act] as const);

/** What a shell gives to the program. */
function words(command: string, program: string): readonly string[] {
  const script = `${program}() { printf '%s\\0' "$@"; }\n${command}`;
  const env = { FLOWGATE_TOKEN: 'secret' };
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
}

/** The request that a command of curl makes. */
function curlRequest(act: Act) {
  const given = words(asCurl(act, connection), 'curl');
  const after = (option: string): string => given[given.indexOf(option) + 1] ?? '';
  return {
    method: after('-X'),
    path:
      given.find((word) => word.startsWith(connection.baseUrl))?.slice(connection.baseUrl.length + 1) ?? '',
    body: JSON.parse(after('-d')) as JsonValue,
  };
}

describe.each(named(acts))('%s', (_kind, act) => {
  it('as curl is a request by which the act is known again', () => {
    const { method, path, body } = curlRequest(act);
    expect(actOf(method, path, body)).toEqual(act);
  });

  it('in TypeScript has the real client send that request, with the token of the environment', async () => {
    const sent: { method: string; path: string; body: JsonValue; headers: Headers }[] = [];
    class Sending extends FlowgateClient {
      constructor(options: object) {
        const answer = (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
          sent.push({
            method: init.method ?? 'GET',
            path: String(url).slice(connection.baseUrl.length + 1),
            body: JSON.parse(String(init.body)) as JsonValue,
            headers: new Headers(init.headers),
          });
          return Promise.resolve(Response.json({ error: 'seen' }, { status: 409 }));
        };
        super({ ...options, fetch: answer as typeof fetch, retries: 0 });
      }
    }
    const code = asTypeScript(act, connection).replace(/^import .*$/m, '');
    const AsyncFunction = (async () => undefined).constructor as new (
      ...parts: string[]
    ) => (...given: unknown[]) => Promise<void>;
    const quiet = { log: () => undefined };
    const environment = { env: { FLOWGATE_TOKEN: 'secret' } };
    const program = new AsyncFunction('FlowgateClient', 'process', 'console', code);
    await expect(program(Sending, environment, quiet)).rejects.toThrow('seen');
    expect(sent).toHaveLength(1);
    const [{ method, path, body, headers }] = sent as [(typeof sent)[number]];
    expect(actOf(method, path, body)).toEqual(act);
    expect(headers.get('authorization')).toBe('Bearer secret');
    expect(headers.get('flowgate-namespace')).toBe('team-a');
  });
});

describe.each(named([...acts, ...reading]))('%s', (_kind, act) => {
  it('on the command line is a command that flowgate takes, with the ids as they are', async () => {
    const [name, ...rest] = words(asCommand(act, connection), 'flowgate');
    const command = [forkCommand, ...Object.values(runCommands)].find(
      (one) => String(one.command).split(' ')[0] === name,
    );
    let parsed: Readonly<Record<string, unknown>> = {};
    const parser = yargs([name ?? '', ...rest])
      .command({ ...command!, handler: (given: object) => void (parsed = given as typeof parsed) } as never)
      .strict()
      .exitProcess(false)
      .fail((message: string) => {
        throw new Error(message);
      });
    await parser.parseAsync();
    expect(parsed['workflowId']).toBe(act.workflowId);
    expect(parsed['server']).toBe(connection.baseUrl);
    expect(parsed['namespace']).toBe('team-a');
    if (act.kind !== 'start') expect(parsed['runId']).toBe(act.runId);
    else expect(JSON.parse(String(parsed['input']))).toEqual(act.input);
    if (act.kind === 'decide' && act.comment !== null) expect(parsed['comment']).toBe(act.comment);
    if (act.kind === 'fork' && act.unitInput !== undefined)
      expect(JSON.parse(String(parsed['unit-input']))).toEqual(act.unitInput);
  });

  it('in Java calls what the client for Java has', () => {
    const code = asJava(act, connection);
    const api = readFileSync('clients/java/api.txt', 'utf8');
    // Without its texts, nothing in them is taken for a call.
    const bare = code.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
    const called = [...bare.matchAll(/\.(\w+)\(/g)].flatMap(([, method]) =>
      method === undefined || ['println', 'getenv', 'hasNext', 'next'].includes(method) ? [] : [method],
    );
    expect(called.length).toBeGreaterThan(2);
    for (const method of called) expect(api).toMatch(new RegExp(`[ $]${method}\\(`));
    for (const [, name] of bare.matchAll(/import io\.flowgate\.client\.(\w+);/g))
      expect(api).toContain(`io.flowgate.client.${name}`);
    expect(code).toContain('System.getenv("FLOWGATE_TOKEN")');
  });
});

describe('a request that is no act', () => {
  it.each([
    ['GET', 'workflows/a/runs/b', {}],
    ['POST', 'workflows/validate', { yaml: '' }],
    ['POST', 'workflows/a/runs/b/signals/x', {}],
    ['POST', 'workflows/a/runs', [1]],
    ['DELETE', 'workflows/a', {}],
  ] as const)('%s %s is none', (method, path, body) => {
    expect(actOf(method, path, body as JsonValue)).toBeNull();
  });
});
