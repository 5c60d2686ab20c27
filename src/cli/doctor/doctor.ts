import { resultOfDisk } from '../../config/named-folder.js';
import { SETTINGS, type FlowgateConfig } from '../../config/service/settings.js';
import { VERSION } from '../../config/version.js';
import { messageOf } from '../../errors/flowgate-error.js';
import { SilentDiskError } from '../../errors/service-errors.js';
import { UsageError } from '../command-errors.js';
import { EXIT } from '../exit-code.js';
import { clientOf } from '../remote/server/client-of.js';
import type { OutputArguments } from '../remote/server/output-format.js';
import type { ServerArguments } from '../remote/server/server-options.js';
import { presets, type Presets } from '../settings/presets.js';
import { Interruption } from '../terminal/interruption.js';
import { finding, type Check } from './check.js';
import { clockCheck } from './checks/clock-check.js';
import { dataChecks, REAL_DISK } from './checks/data-checks.js';
import { folderCheck } from './checks/folder-check.js';
import { nodeCheck } from './checks/node-check.js';
import { portCheck } from './checks/port-check.js';
import { serverChecks } from './checks/server-checks.js';
import { checkedSettings } from './checks/settings-checks.js';
import { probe } from './probe.js';
import { showReport } from './report.js';

export type DoctorArguments = Omit<ServerArguments, 'server'> &
  OutputArguments & { readonly server?: string | undefined };

interface Looked {
  readonly checks: readonly Check[];
  /** A file system call never came back: the process cannot end by itself. */
  readonly diskIsSilent?: boolean;
}

/** Looks at all that commonly keeps Flowgate from working, here and at the server, and says what to do. */
export async function doctor(given: DoctorArguments): Promise<number> {
  const interruption = new Interruption();
  try {
    const { signal } = interruption;
    const { found, check } = presetsHere();
    const { config, checks } = checkedSettings(process.env);
    const machine = config === null ? { checks: [] } : await lookedAtMachine(config, signal);
    const server = found === null ? [] : await checksOfServer(given, found, signal);
    const all = [nodeCheck(process.versions.node), check, ...checks, ...machine.checks, ...server];
    await showReport(all, given, found?.output?.value ?? null);
    // An exit waits for all threads, and so for a disk that does not respond.
    if (machine.diskIsSilent === true) process.kill(process.pid, 'SIGKILL');
    return all.some(({ status }) => status === 'finding') ? EXIT.failed : EXIT.done;
  } finally {
    interruption.stop();
  }
}

/** Null: what the folder or the environment says cannot be used, which is a finding here and refuses every other command. */
function presetsHere(): { readonly found: Presets | null; readonly check: Check } {
  try {
    const found = presets();
    return { found, check: folderCheck(found) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const check = finding('folder', error.message, 'Correct it: until then no command calls a server here.');
    return { found: null, check };
  }
}

async function lookedAtMachine(config: FlowgateConfig, signal: AbortSignal): Promise<Looked> {
  const port = await portCheck(
    config,
    async (address) => (await probe(address, signal))?.isFlowgate === true,
  );
  if (config.store !== 'sqlite') return { checks: [port] };
  const folder = { variable: SETTINGS.dataDir.variable, path: config.dataDir };
  try {
    return { checks: [port, ...(await resultOfDisk(folder, dataChecks(config.dataDir, REAL_DISK)))] };
  } catch (error) {
    const isSilent = error instanceof SilentDiskError;
    const check = finding(
      'data',
      messageOf(error),
      'See whether the disk works, or name another folder: FLOWGATE_DATA_DIR.',
    );
    return { checks: [port, check], diskIsSilent: isSilent };
  }
}

async function checksOfServer(
  given: DoctorArguments,
  found: Presets,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const named = given.server === undefined ? found.server : { value: given.server, from: undefined };
  const server = named.value;
  const checks = await serverChecks({
    server,
    isNamed: named.from !== 'default',
    client: () => clientOf({ ...given, server, serverFrom: named.from }),
    version: VERSION,
    signal,
  });
  // What is no address was said by then.
  const clock = /^https?:/i.test(server) ? await probe(server, signal) : null;

  return [...checks, clockCheck(clock?.said ?? null)];
}
