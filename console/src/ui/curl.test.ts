import { execFileSync } from 'node:child_process';
import { curl } from './curl.js';

/** What a shell makes of the command: the arguments that the program gets. */
function argumentsOf(command: string): readonly string[] {
  const script = `curl() { printf '%s\\n' "$@"; }\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { FLOWGATE_TOKEN: 'secret' } })
    .split('\n')
    .slice(0, -1);
}

const SERVICE = 'https://flows.example/api';

describe('a request as curl', () => {
  it('is the same request once a shell has read it, whatever its texts hold', () => {
    const body = { note: `it's "$HOME" \`id\`; rm -rf /` };
    const segments = ['workflows', `a/b 'c' "d"%`, 'runs'];
    const command = curl({ method: 'POST', baseUrl: SERVICE, segments, body }, { isTokenNeeded: false });
    expect(argumentsOf(command)).toEqual([
      '-X',
      'POST',
      `${SERVICE}/workflows/a%2Fb%20'c'%20%22d%22%25/runs`,
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify(body),
    ]);
  });

  it('names the variable of the token in place of a token', () => {
    const request = { method: 'GET', baseUrl: SERVICE, segments: ['runs'], query: { label: 'a b' } } as const;
    const command = curl(request, { isTokenNeeded: true });
    expect(command).toContain('"Authorization: Bearer $FLOWGATE_TOKEN"');
    expect(argumentsOf(command)).toEqual([
      '-X',
      'GET',
      `${SERVICE}/runs?label=a+b`,
      '-H',
      'Authorization: Bearer secret',
    ]);
  });
});
