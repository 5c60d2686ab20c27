// Preloaded into the service's process (`node --import`): reports how long its event loop was blocked, and how much memory
// it holds.
import type { LoopReport } from './loop-report.ts';

const BEAT_MS = 5;

let longestMs = 0;
let last = { at: performance.now(), computedMs: computedMs() };

/** Processor time of this thread: while another process runs nobody can blame the loop. */
function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

setInterval(() => {
  const now = { at: performance.now(), computedMs: computedMs() };
  longestMs = Math.max(longestMs, Math.min(now.at - last.at, now.computedMs - last.computedMs));
  last = now;
}, BEAT_MS).unref();

process.on('message', (order: 'look' | 'look-after-gc') => {
  if (order === 'look-after-gc') globalThis.gc?.();
  const report: LoopReport = { longestMs, heapMib: process.memoryUsage().heapUsed / 1024 / 1024 };
  longestMs = 0;
  process.send?.(report);
});
