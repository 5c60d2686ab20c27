import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { forward } from '../../support/forward.js';
import { startService, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';
import { openConsole, startBrowser } from '../support/console-page.js';
import { otherBuild, type OtherBuild } from '../support/other-build.js';

/** What a browser says of files that are not there. */
const MISSING = /Failed to load resource|404|MIME type/;

let browser: Browser;
let service: Service;
let other: Service;
let build: OtherBuild;
beforeAll(async () => {
  browser = await startBrowser();
  build = await otherBuild();
});
afterAll(async () => {
  await browser.close();
  await build.remove();
});
beforeEach(async () => {
  service = await startService();
  await service.register(document('gated', [mock('a'), gate('agree'), mock('pay')]));
  other = await startService();
  build.serveBy(other);
});
afterEach(() => Promise.all([service.close(), other.close()]));

/** One address in front of two builds: which of them has the console is said for each request; the runs are those of the first. */
async function startBalancer(chosen: (request: IncomingMessage) => Service) {
  const server = createServer((request, response) => {
    const { url = '' } = request;
    const by = url.startsWith('/console/') && !url.includes('settings.json') ? chosen(request) : service;
    forward(request, response, { port: Number(new URL(by.url).port) });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

it('behind two replicas of two builds, which answer in turn, the console comes up, and goes on to a run', async () => {
  const { runId } = await service.start('gated');
  let turn = 0;
  const balancer = await startBalancer(() => ((turn += 1) % 2 === 0 ? service : other));
  const { page, faults, close } = await openConsole(browser, `${balancer.url}/console/runs`, {
    expected: MISSING,
  });
  const row = page.getByRole('row', { name: /gated/ });
  await row.waitFor({ timeout: 50_000 });
  expect(await page.evaluate('getComputedStyle(document.querySelector("header.bar")).display')).toBe('flex');
  await row.getByRole('link').first().click();
  await page.waitForURL(new RegExp(`run=${runId}`));
  await page.getByRole('heading', { name: /gated/ }).first().waitFor({ timeout: 50_000 });
  expect(faults).toEqual([]);
  await close();
  balancer.close();
});

it('a part that the new build does not have is asked for during a minute; then its page is loaded, and drafts are kept', async () => {
  const { runId } = await service.start('gated');
  let current = service;
  const balancer = await startBalancer(() => current);
  const { page, faults, close } = await openConsole(browser, `${balancer.url}/console/approvals`, {
    expected: MISSING,
  });
  await page.getByLabel('Comment').fill('Seen the photo.');
  await page.clock.install();
  current = other;
  await page.getByRole('article').getByRole('link').first().click();
  await page.getByText('This service is being upgraded').waitFor();
  await page.getByRole('link', { name: 'Approvals' }).click();
  expect(await page.getByLabel('Comment').inputValue()).toBe('Seen the photo.');

  const loaded = page.waitForEvent('load');
  await page.clock.fastForward(61_000);
  await loaded;
  await page.getByRole('article').waitFor();
  expect(await page.getByText('This service is being upgraded').count()).toBe(0);
  expect(await page.getByLabel('Comment').inputValue()).toBe('Seen the photo.');
  await page.getByRole('article').getByRole('link').first().click();
  await page.waitForURL(new RegExp(`run=${runId}`));
  await page.getByRole('button', { name: 'agree at a gate' }).waitFor();
  expect(faults).toEqual([]);
  await close();
  balancer.close();
});

it('a part that is there again is shown, without the page being loaded anew', async () => {
  await service.start('gated');
  let current = service;
  const balancer = await startBalancer(() => current);
  const { page, faults, close } = await openConsole(browser, `${balancer.url}/console/runs`, {
    expected: MISSING,
  });
  const row = page.getByRole('row', { name: /gated/ });
  await row.waitFor();
  let loads = 0;
  page.on('load', () => (loads += 1));
  current = other;
  await row.getByRole('link').first().click();
  await page.getByText('This service is being upgraded').waitFor();
  current = service;
  await page.getByRole('button', { name: 'agree at a gate' }).waitFor();
  expect(await page.getByText('This service is being upgraded').count()).toBe(0);
  expect(loads).toBe(0);
  expect(faults).toEqual([]);
  await close();
  balancer.close();
});
