import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { chromium as programOfChromium } from '../../tools/browser/chromium.mjs';

/** How much slower than this machine a phone, or an old notebook, computes. */
export const CPU_SLOWDOWN = 4;
/** A bad line: 1.6 Mbit/s, and 150 ms there and back. */
export const LINE = { bitsPerSecond: 1_600_000, latencyMs: 150 };
/** A slow page on a busy machine. */
const WITHIN_MS = 120_000;

export interface SlowPage {
  readonly page: Page;
  /** What the thread of the page has computed since it began, in ms of the slow machine. */
  cpuMs(): Promise<number>;
  /** What its heap holds once all that nobody needs is gone. */
  heapMegabytes(): Promise<number>;
  close(): Promise<void>;
}

interface Slowness {
  readonly cpu?: boolean;
  readonly line?: boolean;
  /** Is run in the page before anything of its own. */
  readonly before?: string;
}

export async function startChromium(): Promise<{ readonly browser: Browser; stop(): Promise<void> }> {
  // Its own sandbox is not to be had as root, which CI is.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({
    executablePath: programOfChromium(),
    args: ['--disable-dev-shm-usage', ...sandbox],
  });
  return { browser, stop: () => browser.close() };
}

/** An empty page with nothing in its caches, as slow as it is asked for. */
export async function slowPage(browser: Browser, { cpu, line, before }: Slowness): Promise<SlowPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(WITHIN_MS);
  if (before !== undefined) await context.addInitScript({ content: before });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  // By the thread's own time, so that what others compute meanwhile does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  if (line === true) {
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LINE.latencyMs,
      downloadThroughput: LINE.bitsPerSecond / 8,
      uploadThroughput: LINE.bitsPerSecond / 8,
    });
  }
  if (cpu === true) await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return {
    page,
    cpuMs: async () => 1_000 * (await metric(session, 'TaskDuration')),
    async heapMegabytes() {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return usedSize / 1_000_000;
    },
    close: () => context.close(),
  };
}

async function metric(session: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const found = metrics.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`This Chromium does not know the metric ${wanted}.`);
  return found.value;
}
