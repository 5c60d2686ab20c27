import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

const LINUX_FILE = '/proc/sys/kernel/random/boot_id';
const MINUTE_MS = 60_000;

/**
 * Identifies the current boot of the machine: what a never synced file says holds only within it. Where the kernel gives no
 * name it is the minute of the boot; a clock that was set changes that, which only means that less is counted.
 */
export function machineBootId(): string {
  try {
    return readFileSync(LINUX_FILE, 'utf8').trim();
  } catch {
    return `minute-${Math.round((Date.now() - uptime() * 1_000) / MINUTE_MS)}`;
  }
}
