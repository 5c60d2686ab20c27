import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtMain } from './support/built-service.js';
import { ServiceProcess } from './support/service-process.js';

const NOBODY = 65_534;

let dataDir: string;
const lives: ServiceProcess[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'flowgate-folder-'));
});
afterEach(async () => {
  await Promise.all(lives.splice(0).map((life) => life.kill()));
  setRights(0o700, 0o600);
  rmSync(dataDir, { recursive: true });
});

function launch(uid?: number): ServiceProcess {
  const life = new ServiceProcess({ dataDir, ...(uid === undefined ? {} : { uid }) });
  lives.push(life);
  return life;
}

/** Sets the rights of the folder and of the files in it. */
function setRights(folder: number, files: number): void {
  chmodSync(dataDir, folder);
  for (const file of readdirSync(dataDir)) chmodSync(join(dataDir, file), files);
}

const isHealthy = async (life: ServiceProcess) =>
  (await fetch(`${await life.listening}/health`)).status === 200;

describe('a data folder', () => {
  it('belongs to one process: a second one ends with a line that says so, and the first continues', async () => {
    const first = launch();
    await first.listening;
    const { code, stderr } = await launch().ended;
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/data folder belongs to another running process: stop that one/),
    ]);
    expect(await isHealthy(first)).toBe(true);
  });

  it('is free again as soon as its process was killed', async () => {
    const first = launch();
    await first.listening;
    await first.kill();
    expect(await isHealthy(launch())).toBe(true);
  });
});

/** Root can write everywhere: to be refused, the service must run as another user. */
const uid = process.getuid?.() === 0 ? NOBODY : undefined;
const canRun =
  spawnSync(process.execPath, ['--check', builtMain()], uid === undefined ? {} : { uid }).status === 0;

(canRun ? describe : describe.skip)('a data folder that cannot be written to', () => {
  it.each([
    ['is empty', false],
    ['has runs', true],
  ])('and %s: the service ends with a line that says what to do', async (_name, hasRuns) => {
    if (hasRuns) {
      const owner = launch();
      await owner.listening;
      await owner.terminate();
    }
    setRights(0o555, 0o444);
    const { code, stderr } = await launch(uid).ended;
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/data folder.*write access/)]);
  });
});
