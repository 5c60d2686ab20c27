import type { Browser } from 'playwright-core';
import { slowPage } from '../../support/slow-page.ts';

/** Where the console of the service is, and how often each thing is opened. */
export interface Opened {
  readonly browser: Browser;
  readonly root: string;
  readonly rounds: number;
}

const ASKED_EVERY_MS = 200;

/** In the page: notes when each of these first holds, in ms since the address was asked for, once the frame is drawn. */
function noting(conditions: Readonly<Record<string, string>>): string {
  return `globalThis.shownAt = {};
    const conditions = { ${Object.entries(conditions)
      .map(([name, condition]) => `${JSON.stringify(name)}: () => ${condition}`)
      .join(', ')} };
    const look = () => {
      for (const [name, holds] of Object.entries(conditions))
        if (globalThis.shownAt[name] === undefined && holds()) globalThis.shownAt[name] = performance.now();
      if (Object.keys(globalThis.shownAt).length < Object.keys(conditions).length) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);`;
}

/**
 * Opens an address in an empty page, and says after how many ms each of the conditions held for the first time; `cpu`: what the page
 * has computed by then, which does not depend on what others compute.
 */
export async function shownAfter(
  { browser }: Opened,
  address: string,
  slowness: { readonly cpu: boolean; readonly line: boolean },
  conditions: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, number>>> {
  const { page, cpuMs, close } = await slowPage(browser, { ...slowness, before: noting(conditions) });
  try {
    await page.goto(address, { waitUntil: 'commit' });
    const areAll = `Object.keys(globalThis.shownAt ?? {}).length === ${Object.keys(conditions).length}`;
    // The policy of the console lets no page evaluate what is polled there.
    while (!(await page.evaluate(areAll))) await page.waitForTimeout(ASKED_EVERY_MS);
    const shown = (await page.evaluate('globalThis.shownAt')) as Readonly<Record<string, number>>;
    return { ...shown, cpu: await cpuMs() };
  } finally {
    await close();
  }
}
