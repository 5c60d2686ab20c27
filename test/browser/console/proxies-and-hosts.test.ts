import type { Browser } from 'playwright-core';
import { ADAPTERS, startHostService } from '../../support/host.js';
import { startService, type Service } from '../../support/service.js';
import { openConsole, startBrowser, type ConsolePage } from '../support/console-page.js';
import { startPrefixProxy } from '../support/prefix-proxy.js';

const PREFIX = '/tools/flow';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** From nothing to a gate that was approved: pages, files, streams, reads and writes. */
async function approveTheSample({ page }: ConsolePage, service: Service): Promise<void> {
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await page.waitForURL(/\/console\/run\?/);
  await page.getByRole('link', { name: 'Approvals' }).click();
  await page.getByLabel('Your name').fill('Grace');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved').waitFor();
  expect((await service.get('/gates?status=decided')).body.items).toHaveLength(1);
}

it('works behind a proxy that takes a prefix away, begun without the slash', async () => {
  const service = await startService();
  const proxy = await startPrefixProxy(service, PREFIX);
  const opened = await openConsole(browser, `${proxy.url}/console`);
  expect(opened.page.url()).toBe(`${proxy.url}/console/`);
  await approveTheSample(opened, service);
  expect(opened.faults).toEqual([]);
  await opened.close();
  proxy.close();
  await service.close();
});

it.each(ADAPTERS)('works in a host on %s, below its prefix', async (adapter) => {
  const service = await startHostService({ adapter, flowgate: { http: { console: true } } });
  const opened = await openConsole(browser, `${service.url}/console`);
  expect(opened.page.url()).toBe(`${service.url}/console/`);
  await approveTheSample(opened, service);
  expect(opened.faults).toEqual([]);
  await opened.close();
  await service.close();
});

it('shows no screen of which the host has switched the routes off', async () => {
  const parts = { console: true, memory: false, registration: false, hitl: false };
  const service = await startHostService({ adapter: 'express', flowgate: { http: parts } });
  const { page, faults, close } = await openConsole(browser, `${service.url}/console/workflows`);
  await page.getByText('No workflow is registered').waitFor();
  expect(await page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allInnerTexts()).toEqual([
    'Runs',
    'Workflows',
    'Service',
  ]);
  expect(await page.getByRole('button', { name: 'Try the sample' }).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
  await service.close();
});
