import type { Browser, Page } from 'playwright-core';
import { startService, type Service } from '../../support/service.js';
import { document, gate } from '../../support/workflow-documents.js';
import { openConsole, startBrowser } from '../support/console-page.js';

const TABS = 8;

let browser: Browser;
let service: Service;
beforeAll(async () => {
  browser = await startBrowser();
  service = await startService();
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

/** As a browser tells a page when another tab is in front: pages of a headless one are all seen. */
async function show(page: Page, isSeen: boolean): Promise<void> {
  await page.evaluate(`(() => {
    for (const [name, value] of [['hidden', ${!isSeen}], ['visibilityState', '${isSeen ? 'visible' : 'hidden'}']])
      Object.defineProperty(document, name, { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  })()`);
}

it('eight tabs of one browser have one stream each while they are seen, and none while they are not, so that all go on', async () => {
  await service.register(document('gated', [gate('agree')]));
  const first = await openConsole(browser, `${service.url}/console/runs`);
  const context = first.page.context();
  const pages = [first.page];
  const streams = new Set<object>();
  const isStream = (headers: Readonly<Record<string, string>>): boolean =>
    headers['accept'] === 'text/event-stream';
  context.on('request', (request) => {
    if (isStream(request.headers())) streams.add(request);
  });
  context.on('requestfinished', (request) => void streams.delete(request));
  context.on('requestfailed', (request) => void streams.delete(request));
  await first.page.reload();
  await first.page.getByText('No runs here').waitFor();

  while (pages.length < TABS) {
    await show(pages.at(-1) as Page, false);
    const page = await context.newPage();
    await page.goto(`${service.url}/console/runs`);
    await page.getByText('No runs here').waitFor();
    pages.push(page);
  }
  const only = async (count: number): Promise<void> => {
    while (streams.size !== count) await first.page.waitForTimeout(50);
  };
  await only(1);

  // The one that is seen is told at once; another one reads it once it is seen.
  await service.start('gated');
  await (pages.at(-1) as Page).getByRole('row', { name: /gated/ }).waitFor();
  expect(await first.page.getByRole('row', { name: /gated/ }).count()).toBe(0);
  await show(pages.at(-1) as Page, false);
  await only(0);
  await show(first.page, true);
  await first.page.getByRole('row', { name: /gated/ }).waitFor();
  await only(1);
  expect(first.faults).toEqual([]);
  await first.close();
});
