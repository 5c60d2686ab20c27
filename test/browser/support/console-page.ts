import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** No name resolves, so that whatever asks another host than this machine fails, and is seen. */
const NO_NAMES = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';
/** A browser on a busy machine. */
const WITHIN_MS = 20_000;

/** axe-core as a script: the policy of the console lets no page add one. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The console in a page of its own, with all that went wrong in it. */
export interface ConsolePage {
  readonly page: Page;
  /** What the page, or its policy, complained about, and requests to anybody but the service. */
  readonly faults: readonly string[];
  /** What axe-core has against what is shown, by its rule and the elements. */
  violations(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A real Chromium. Whoever starts it closes it. */
export function startBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'];
  if (executablePath === undefined)
    throw new Error('CHROMIUM_PATH is not set: start these tests with npm run test:browser');
  // Its own sandbox is not to be had as root, which CI is.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [NO_NAMES, '--disable-dev-shm-usage', ...sandbox] });
}

export interface Opening extends BrowserContextOptions {
  /** Messages that belong to what a test does, such as those of a service that is gone. */
  readonly expected?: RegExp;
  /** The one other origin that a page may ask: that of the provider by whom people sign in. */
  readonly provider?: string;
}

/** Opens an address of the console. */
export async function openConsole(
  browser: Browser,
  url: string,
  { expected, provider, ...options }: Opening = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(WITHIN_MS);
  await context.addInitScript({ content: AXE });
  const page = await context.newPage();
  const faults: string[] = [];
  const note = (fault: string): void => {
    if (expected?.test(fault) !== true) faults.push(fault);
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(message.text());
  });
  page.on('pageerror', (error) => note(error.stack ?? error.message));
  page.on('request', (request) => {
    const known = [new URL(url).origin, provider === undefined ? null : new URL(provider).origin];
    if (!/^(?:data|blob):/.test(request.url()) && !known.includes(new URL(request.url()).origin))
      note(`a foreign request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, faults, violations: () => violationsOn(page), close: () => context.close() };
}

async function violationsOn(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      readonly axe: { run(root: unknown, options: unknown): Promise<AxeResults> };
    };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    return axe.run((globalThis as { readonly document?: unknown }).document, {
      runOnly: { type: 'tag', values: tags },
      resultTypes: ['violations'],
    });
  });
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
  );
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}
