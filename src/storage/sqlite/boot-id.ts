import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

const LINUX_FILE = '/proc/sys/kernel/random/boot_id';
const MINUTE_MS = 60_000;

/**
 * Names the time since the machine was started: what a file says that was never synced holds within it. Where the
 * kernel gives no name it is the minute of the start; a clock that was set makes another one of it, which only means
 * that less is counted.
 */
export function bootId(): string {
  try {
    return readFileSync(LINUX_FILE, 'utf8').trim();
  } catch {
    return `minute-${Math.round((Date.now() - uptime() * 1_000) / MINUTE_MS)}`;
  }
}
