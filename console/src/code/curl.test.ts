import { execFileSync } from 'node:child_process';
import type { Act, Connection } from './act.js';
import { asCurl } from './curl.js';

/** What a shell makes of the command: the arguments that the program gets. */
function argumentsOf(command: string): readonly string[] {
  const script = `curl() { printf '%s\\n' "$@"; }\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { FLOWGATE_TOKEN: 'secret' } })
    .split('\n')
    .slice(0, -1);
}

const SERVICE = 'https://flows.example/api';
const open: Connection = { baseUrl: SERVICE, isTokenNeeded: false, namespace: null };

describe('an act as curl', () => {
  it('is the request for it once a shell has read it, whatever its texts hold', () => {
    const input = { note: `it's "$HOME" \`id\`; rm -rf /` };
    const start: Act = { kind: 'start', workflowId: `a/b 'c' "d"%`, input };
    expect(argumentsOf(asCurl(start, open))).toEqual([
      '-X',
      'POST',
      `${SERVICE}/workflows/a%2Fb%20'c'%20%22d%22%25/runs`,
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify({ input }),
    ]);
  });

  it('names the variable of the token in place of a token, and the namespace', () => {
    const connection = { ...open, isTokenNeeded: true, namespace: 'team-a' };
    const command = asCurl({ kind: 'read', workflowId: 'a', runId: 'b' }, connection);
    expect(command).toContain('"Authorization: Bearer $FLOWGATE_TOKEN"');
    expect(argumentsOf(command)).toEqual([
      '-X',
      'GET',
      `${SERVICE}/workflows/a/runs/b?view=full`,
      '-H',
      'Authorization: Bearer secret',
      '-H',
      'Flowgate-Namespace: team-a',
    ]);
  });
});
