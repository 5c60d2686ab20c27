import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Has this thread leave the processor to the others of its process, where threads have priorities of their own (Linux): its
 * work takes seconds, and a run that waits for it needs a moment at a time.
 */
export function giveWay(): void {
  try {
    const [, process, thread] = /^(\d+)\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    if (Number(process) !== globalThis.process.pid) return;
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // There is no such thing here: all threads share alike.
  }
}
