import type { Browser } from 'playwright-core';
import { eventually } from '../../support/eventually.js';
import { startService, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';
import { openConsole, startBrowser } from '../support/console-page.js';

let browser: Browser;
let service: Service;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

it('failures that look alike are one group; its runs are acted upon in turn, and each refusal is counted', async () => {
  const fail = { id: 'ship', uses: 'builtin.fail', config: { message: 'no address' } };
  await service.register(document('broken', [fail]));
  for (let count = 0; count < 4; count++) await service.start('broken');
  const { page, faults, close } = await openConsole(browser, `${service.url}/console/runs`, {
    expected: /500|409/,
  });
  const group = page.getByRole('region', { name: 'Failures that look alike' });
  await group.getByText('4×').waitFor();
  await group.getByRole('button', { name: 'Choose them' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('0 of 4 resumed, 4 refused').waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('a hundred paused runs are chosen and resumed, live', async () => {
  await service.register(document('held', [mock('a'), { ...mock('b'), pause: 'before' }]));
  const runs = Array.from({ length: 100 }, () => ({}));
  await service.post('/workflows/held/runs/batch', { runs });
  const { page, faults, close } = await openConsole(browser, `${service.url}/console/runs?status=paused`);
  await page.getByRole('button', { name: 'Older runs' }).click();
  await page.getByRole('checkbox').nth(100).waitFor();
  await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check();
  await page.getByText('100 chosen').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('100 of 100 resumed').waitFor({ timeout: 40_000 });
  await eventually(
    async () => (await service.get('/runs?status=completed&limit=200')).body.items as readonly unknown[],
    (completed) => completed.length === 100,
  );
  expect(faults).toEqual([]);
  await close();
});

it('older runs and older decisions come once, however fast somebody presses, and say why they do not come', async () => {
  await service.register(document('gated', [gate('agree')]));
  const runs = Array.from({ length: 70 }, () => ({}));
  await service.post('/workflows/gated/runs/batch', { runs });
  const { page, close } = await openConsole(browser, `${service.url}/console/runs`, { expected: /503/ });
  await page.getByRole('button', { name: 'Older runs' }).dblclick();
  await page.getByRole('button', { name: 'Older runs' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('row').count()).toBe(71);

  const { items } = (await service.get('/gates?limit=100')).body;
  for (const { runId } of items)
    await service.post(`/workflows/gated/runs/${runId}/hitl`, { approved: true });
  await page.goto(`${service.url}/console/approvals?tab=decided`);
  const older = page.getByRole('button', { name: 'Older decisions' });
  await page.route('**/gates?*cursor=*', (route) => route.fulfill({ status: 503, body: '{"error":"Busy"}' }));
  await older.click();
  await page.getByRole('alert').waitFor();
  await page.unroute('**/gates?*cursor=*');
  await older.dblclick();
  await older.waitFor({ state: 'detached' });
  expect(await page.getByRole('row').count()).toBe(71);
  await close();
});

it('new runs appear by themselves, and change where they stand', async () => {
  await service.register(document('slow', [mock('a', 'done', { config: { delayMs: 1_500 } })]));
  const { page, faults, close } = await openConsole(browser, `${service.url}/console/runs`);
  await page.getByText('No runs here').waitFor();
  await service.start('slow', {});
  await page.getByRole('row', { name: /running/ }).waitFor();
  await page.getByRole('row', { name: /completed/ }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('a service that is gone is said, what was shown stays, and it goes on once it is back', async () => {
  await service.register(document('quick', [mock('a')]));
  await service.start('quick');
  const port = new URL(service.url).port;
  const gone = /ERR_|Failed to load/;
  const { page, faults, close } = await openConsole(browser, `${service.url}/console/runs`, {
    expected: gone,
  });
  await page.getByRole('row', { name: /completed/ }).waitFor();
  await service.close();
  await page.getByText('The service has not answered since').waitFor();
  expect(await page.getByRole('row', { name: /completed/ }).count()).toBe(1);

  service = await startService({}, {}, Number(port));
  await service.register(document('later', [mock('a')]));
  await service.start('later');
  await page.getByRole('row', { name: /later/ }).waitFor();
  expect(await page.getByText('The service has not answered since').count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});
