import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProcess, type ServiceProcess } from '../support/service-process.js';

let service: ServiceProcess | undefined;
afterEach(() => service?.clear());

const start = (environment?: Record<string, string>): ServiceProcess => (service = startProcess(environment));
const lines = (text: string): string[] => text.trim().split('\n');

describe('the start of the process', () => {
  it('says in JSON where it listens, and nothing loud on a loopback address', async () => {
    const { listening, said } = start();
    const address = await listening();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${address}/health`)).status).toBe(200);
    const records = lines(said.stdout).map((line) => JSON.parse(line) as { message: string; level: string });
    expect(records.at(-1)).toMatchObject({
      level: 'log',
      message: `Flowgate listens on ${address} (console: ${address}/console/)`,
    });
    expect(records.filter(({ level }) => level === 'warn')).toEqual([]);
    expect(said.stderr).toBe('');
  });

  it('warns once, loudly, when everyone can reach it', async () => {
    const { listening, said } = start({ HOST: '0.0.0.0' });
    await listening();
    const warnings = lines(said.stdout).filter((line) => /"level":"warn"/.test(line));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/HOST is 0\.0\.0\.0.*no authentication/);
  });

  it('warns about a setting that it does not know', async () => {
    const { listening, said } = start({ FLOWGATE_PROT: '1', LOG_LEVEL: 'info' });
    await listening();
    expect(said.stdout).toMatch(/FLOWGATE_PROT is not a setting/);
  });

  it('says little at LOG_LEVEL info, and nothing of what is sent', async () => {
    const { listening, said } = start();
    const address = await listening();
    await fetch(`${address}/workflows/secret-name/runs`, {
      method: 'POST',
      body: '{"input":{"k":"secret-value"}}',
    });
    expect(said.stdout + said.stderr).not.toMatch(/secret-/);
  });
});

describe('a process that cannot start', () => {
  it('says in one line that the port is in use, and ends with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { ended, said } = start({ PORT: String(port) });
    expect(await ended()).toEqual({ code: 1, signal: null });
    expect(lines(said.stderr)).toEqual([expect.stringMatching(new RegExp(`^Port ${port} is in use.*PORT`))]);
    other.close();
  });

  it('names every setting that is wrong, and ends with 1', async () => {
    const { ended, said } = start({ PORT: 'eighty', FLOWGATE_RESUME_WAIT_MS: '-1' });
    expect(await ended()).toEqual({ code: 1, signal: null });
    expect(lines(said.stderr)).toEqual([
      'PORT is "eighty": it must be a whole number from 0 to 65535.',
      'FLOWGATE_RESUME_WAIT_MS is "-1": it must be a whole number from 0 to 86400000.',
    ]);
  });

  it('says in one line that HOST is not of this machine', async () => {
    const { ended, said } = start({ HOST: '192.0.2.1' });
    expect(await ended()).toEqual({ code: 1, signal: null });
    expect(lines(said.stderr)).toEqual([expect.stringMatching(/^HOST /)]);
  });
});
