import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inSequence } from '../support/engine.js';
import { shellProgram } from '../../tools/shells/shells.mjs';
import { commandOf, flowgate } from './support/built-cli.js';
import { folderWith } from './support/folder.js';
import { startService, type Service } from './support/service.js';

const gate = { id: 'ask', uses: 'builtin.approval', config: { title: 'Send: it?' } };
const folder = folderWith({
  'documents/gate.yaml': inSequence('gate', [gate]),
  'documents/other.yaml': inSequence('gate-other', [gate]),
});
/** The machine may be slow: what is tried here is what is offered, not when. */
const PATIENT = { FLOWGATE_COMPLETION_MS: '10000' };

let service: Service;
let runId: string;
beforeAll(async () => {
  service = await startService();
  const server = ['--server', service.address];
  const applied = await flowgate(['apply', join(folder.path, 'documents'), ...server]);
  expect(applied.code).toBe(0);
  const started = await flowgate(['start', 'gate', '--sync', ...server]);
  runId = (JSON.parse(started.stdout) as { runId: string }).runId;
  writeFileSync(
    join(folder.path, 'flowgate'),
    `#!/bin/sh\nexec ${commandOf([])
      .map((part) => `'${part}'`)
      .join(' ')} "$@"\n`,
  );
  chmodSync(join(folder.path, 'flowgate'), 0o755);
}, 60_000);
afterAll(async () => {
  await service.stop();
  folder.remove();
});

async function completed(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await flowgate(['--get-yargs-completions', 'flowgate', ...words], {
    env: { ...PATIENT, SHELL: '/bin/bash', FLOWGATE_SERVER: service.address, ...env },
    cwd: folder.path,
  });
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('completion', () => {
  it('knows the commands, and what each takes', async () => {
    expect(await completed(['app'])).toEqual(['apply', 'approve']);
    expect(await completed(['runs', '--sta'])).toEqual(['--status']);
    expect(await completed(['runs', '--output', ''])).toEqual(['json', 'yaml', 'table', 'wide']);
    expect(await completed(['keys', 're'])).toEqual(['revoke']);
  });

  it('knows statuses, also the second of several, and the words of settings', async () => {
    expect(await completed(['runs', '--status', 'p'])).toEqual(['pending', 'paused']);
    expect(await completed(['runs', '--status', 'paused,fa'])).toEqual(['paused,failed']);
    // So bash splits --status=pa.
    expect(await completed(['runs', '--status', '=', 'pa'])).toEqual(['paused']);
    expect(await completed(['serve', '--registry', 'd'])).toEqual(['durable']);
    expect(await completed(['completion', 'f'])).toEqual(['fish']);
  });

  it('knows workflows, runs by the end of their ids, and gates', async () => {
    const ending = runId.slice(-8);
    expect(await completed(['start', 'ga'])).toEqual(['gate', 'gate-other']);
    expect(await completed(['runs', '--workflow', ''])).toEqual(['gate', 'gate-other']);
    expect(await completed(['get', ''])).toContain(ending);
    expect(await completed(['get', runId.slice(0, 6)])).toEqual([runId]);
    expect(await completed(['approve', ''])).toEqual([ending]);
    expect(await completed(['approve', ending, '--gate', ''])).toHaveLength(1);
    expect(await completed(['resume', ''])).toEqual([ending]);
    expect(await completed(['resume', 'gate-'])).toEqual(['gate-other']);
    expect(await completed(['describe', ''])).toEqual(['gate', 'gate-other', ending]);
    expect(await completed(['compensate', 'gate', ''])).toEqual([]);
    const [hash = ''] = await completed(['diff', 'gate', '']);
    expect(hash).toMatch(/^[\da-f]{64}$/);
  });

  it('leaves files to the shell', async () => {
    for (const words of [
      ['run', ''],
      ['validate', 'doc'],
      ['export', runId, '--out', ''],
    ])
      expect(await completed(words)).toEqual([]);
  });

  it('asks the server that the line names, or the folder', async () => {
    const env = { FLOWGATE_SERVER: 'http://127.0.0.1:1' };
    expect(await completed(['start', '--server', service.address, 'gate-'], env)).toEqual(['gate-other']);
    writeFileSync(join(folder.path, '.flowgate.json'), JSON.stringify({ server: service.address }));
    expect(await completed(['start', 'gate-'], { FLOWGATE_SERVER: '' })).toEqual(['gate-other']);
    writeFileSync(join(folder.path, '.flowgate.json'), '{"server": 7}');
    expect(await completed(['start', 'gate-'], { FLOWGATE_SERVER: '' })).toEqual([]);
    writeFileSync(join(folder.path, '.flowgate.json'), '{}');
  });

  it('offers nothing, and says nothing, of a server that never answers', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      expect(
        await completed(['start', ''], { FLOWGATE_SERVER: address, FLOWGATE_COMPLETION_MS: '' }),
      ).toEqual([]);
      expect(await completed(['start', ''], { FLOWGATE_SERVER: 'http://127.0.0.1:1' })).toEqual([]);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  it('offers no word that a shell or a terminal would take for more than a word', async () => {
    const ids = ['plain', '$(touch x)', 'a b', '`id`', 'semi;colon', '\u001B[2J', 'new\nline', '-rf', 'c:d'];
    const hostile = createServer((_request, response) => {
      const items = ids.map((workflowId) => ({ workflowId, description: '\u001B]0;x\u0007\tbell\nline' }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ workflows: ids, items }));
    }).listen(0, '127.0.0.1');
    await once(hostile, 'listening');
    try {
      const address = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
      expect(await completed(['start', ''], { FLOWGATE_SERVER: address })).toEqual(['plain', 'c:d']);
      const inFish = await completed(['start', ''], { FLOWGATE_SERVER: address, SHELL: '/bin/fish' });
      expect(inFish[0]).toMatch(/^plain\t[^\p{Cc}]+$/u);
      const inZsh = await completed(['start', ''], { FLOWGATE_SERVER: address, SHELL: '/bin/zsh' });
      expect(inZsh[1]).toMatch(/^c\\:d:[^\p{Cc}]+$/u);
    } finally {
      hostile.closeAllConnections();
      hostile.close();
    }
  });
});

/** Plays the script of `completion` in a shell of its own, without anybody's start files. */
async function inShell(name: 'bash' | 'zsh' | 'fish', args: readonly string[], typed = ''): Promise<string> {
  const child = spawn(shellProgram(name) ?? name, args, {
    cwd: folder.path,
    env: {
      ...PATIENT,
      PATH: `${folder.path}:${process.env['PATH'] ?? ''}`,
      HOME: folder.path,
      TERM: 'xterm',
      FLOWGATE_SERVER: service.address,
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(typed);
  await once(child, 'close');
  return said;
}

const isHere = (name: string): boolean => shellProgram(name) !== null;

describe('the scripts of completion, each in its shell', () => {
  (isHere('bash') ? it : it.skip)('bash', async () => {
    const script = `
      source <(flowgate completion bash)
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _flowgate_yargs_completions; echo "[\${COMPREPLY[*]}]"; }
      try flowgate start gate-
      try flowgate runs --status pa
      try flowgate run documents/
      complete -p flowgate`;
    const said = await inShell('bash', ['--norc', '--noprofile', '-c', script]);
    expect(said.trim().split('\n')).toEqual([
      '[gate-other]',
      '[paused]',
      '[]',
      'complete -o bashdefault -o default -F _flowgate_yargs_completions flowgate',
    ]);
  });

  (isHere('fish') ? it : it.skip)('fish', async () => {
    const script = `
      flowgate completion fish | source
      complete -C 'flowgate start gate-'
      complete -C 'flowgate runs --status pa'
      complete -C 'flowgate run documents/o'`;
    const said = await inShell('fish', ['--no-config', '-c', script]);
    expect(
      said
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual(['gate-other', 'paused', 'documents/other.yaml']);
  });

  (isHere('zsh') ? it : it.skip)(
    'zsh',
    async () => {
      // Its completion runs in an interactive shell alone, which has a terminal of its own here.
      const script = `
      zmodload zsh/zpty
      zpty -b inner zsh -f -i
      ask() {
        zpty -w inner "$1"
        local seen= line
        for _ in {1..300}; do
          while zpty -r -t inner line; do seen+=$line; done
          [[ $seen == *$2* ]] && { echo "found $2"; return; }
          sleep 0.1
        done
        echo "missed $2: $seen"
      }
      ask 'PS1="ready> "; autoload -U compinit; compinit -u -D; source <(flowgate completion zsh); echo so"urced"' sourced
      ask $'flowgate start gate-o\\t#' gate-other
      ask $'\\x15flowgate runs --status pau\\t#' 'status paused'
      zpty -d inner`;
      const said = await inShell('zsh', ['-f', '-c', script]);
      expect(said.trim().split('\n')).toEqual(['found sourced', 'found gate-other', 'found status paused']);
    },
    120_000,
  );
});
