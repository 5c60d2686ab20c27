import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startUnitServer, type UnitServer } from '../../support/unit-server.js';
import { ENCRYPTION_KEY, type FOLDERS, fixtureFolder, unpackFolder } from './data-folders.ts';
import type { Opening } from './finish.ts';
import type { Manifest, ManifestRun } from './manifest.ts';
import { answerTo, transportAt } from './remote.ts';
import { TODAYS_BUILD } from './todays-build.ts';
import { unitsAt, type Called } from './units.ts';

export type FolderName = (typeof FOLDERS)[number];

/** Copies of data folders, each with units of its own; `clear` removes them all. */
export class Copies {
  private readonly folders: string[] = [];
  private readonly servers: UnitServer[] = [];

  /** A copy, for one run of it: its remote unit listens on a port of this machine, unless it is called as bound. */
  async open(release: string, name: FolderName, { openedAt }: Manifest, run: ManifestRun): Promise<Opening> {
    const folder = mkdtempSync(join(tmpdir(), 'flowgate-upgrade-'));
    this.folders.push(folder);
    unpackFolder(join(fixtureFolder(release), name), folder);
    const calls: Called[] = [];
    const note = (call: Called): unknown => calls.push(call);
    return {
      build: TODAYS_BUILD,
      folder,
      openedAt,
      encryptionKey: name === 'encrypted' ? ENCRYPTION_KEY : null,
      units: unitsAt('now', note),
      endpoint: run.registration?.uses ? await this.serve(note) : '',
      transport: run.isCalledAsBound ? transportAt('now', note) : undefined,
      calls,
    };
  }

  async clear(): Promise<void> {
    for (const server of this.servers.splice(0)) await server.close();
    for (const folder of this.folders.splice(0))
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }

  private async serve(note: (call: Called) => unknown): Promise<string> {
    const server = await startUnitServer(({ rawHeaders }) => {
      const pairs = rawHeaders.flatMap((name, i) =>
        i % 2 === 0 ? [[name, rawHeaders[i + 1]] as const] : [],
      );
      const { call, body } = answerTo(Object.fromEntries(pairs));
      note(call);
      return { headers: { 'content-type': 'application/json' }, body };
    });
    this.servers.push(server);
    return `${server.url}/moved`;
  }
}
