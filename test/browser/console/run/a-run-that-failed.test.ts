import type { Browser } from 'playwright-core';
import { startService, type Service } from '../../../support/service.js';
import { document, mock } from '../../../support/workflow-documents.js';
import { openConsole, startBrowser } from '../../support/console-page.js';

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9/pay';
const once = { policyOverrides: { retry: { maxAttempts: 1 } } };
const address = (service: Service, workflow: string, run: string, more = ''): string =>
  `${service.url}/console/run?workflow=${encodeURIComponent(workflow)}&run=${run}${more}`;

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

it('a failure: the run opens at it, is forked with something else, and compared with where it came from', async () => {
  const pay = { id: 'pay', uses: 'builtin.http', config: { endpoint: NOWHERE }, if: 'state.pays', ...once };
  await service.register(document('shop', [mock('check'), pay, mock('ship', 'sent')]));
  const { runId } = await service.start('shop', { input: { pays: true }, sync: true });
  const { page, faults, close } = await openConsole(browser, address(service, 'shop', runId));

  await page.getByText('connection refused').first().waitFor();
  expect(await page.locator('.why').textContent()).toMatch(/^pay failed: .*connection refused/);
  const inspector = page.getByRole('complementary', { name: 'What is selected' });
  await inspector.getByRole('heading', { name: 'pay' }).waitFor();
  expect(await inspector.textContent()).toContain('Line 1 of the document.');

  await page.getByRole('button', { name: 'Fork' }).click();
  const dialog = page.getByRole('dialog', { name: 'Fork this run' });
  expect(await dialog.textContent()).toContain('Called again: pay');
  await dialog.getByLabel('Laid over the state').fill('{"pays": ');
  await dialog.getByRole('button', { name: 'Go on from here' }).click();
  await dialog.getByText('The state is no JSON').waitFor();
  await dialog.getByLabel('Laid over the state').fill('{"pays": false}');
  await dialog.getByRole('button', { name: 'Go on from here' }).click();

  await page.getByText('Forked from').waitFor();
  await page.getByText('They part at').waitFor();
  expect(await page.locator('.run-part').textContent()).toMatch(/They part at pay/);
  await page.getByText('It completed').waitFor();
  await page.getByRole('link', { name: 'Graph' }).click();
  await page.getByRole('button', { name: 'ship completed' }).waitFor();
  await page.getByRole('button', { name: 'pay skipped' }).waitFor();
  expect(await page.locator('.unit-box.inherited').count()).toBe(1);
  expect(faults).toEqual([]);
  await close();
});

it('texts of a run are never more than texts, whatever they hold, and ids may hold anything', async () => {
  const evil = '<img src=x onerror="document.title=1">\u202E';
  const unit = { ...mock('first', evil), with: { note: evil, [evil]: evil } };
  const last = { id: 'last', uses: 'builtin.fail', config: { message: evil } };
  const each = { type: 'foreach', items: 'input.items', itemKey: 'item', do: 'first' };
  const chosen = {
    type: 'router',
    routerUnit: 'way',
    routes: { [evil]: each, '50%/>#"': 'first' },
    default: each,
  };
  const id = 'a/b "c" 100% <i>';
  const order = { type: 'sequential', order: [chosen, 'last'] };
  await service.register(
    document(id, [{ id: 'way', uses: 'builtin.mock', config: { route: evil } }, unit, last], { flow: order }),
  );
  const { runId } = await service.start(id, { input: { [evil]: evil, items: [evil] }, sync: true });
  const { page, faults, close } = await openConsole(browser, address(service, id, runId));
  await page.getByRole('button', { name: 'first completed' }).first().click();
  await page.getByText('U+202E').first().waitFor();
  for (const tab of ['Timeline', 'Events', 'State']) {
    await page.getByRole('link', { name: tab, exact: true }).click();
    await page
      .getByText(tab === 'State' ? 'output.first' : 'first')
      .first()
      .waitFor();
    expect(await page.locator('main img, main b, main i').count()).toBe(0);
  }
  expect(await page.title()).not.toBe('1');
  await page.getByRole('button', { name: 'From code' }).click();
  await page.getByText('workflows/a%2Fb%20%22c%22%20100%25%20%3Ci%3E/runs').first().waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('what a try caught, what a race decided and what was undone is seen, and what could not be undone is tried again', async () => {
  const units = [
    mock('book', 'booked', { compensate: 'unbook' }),
    { id: 'unbook', uses: 'builtin.http', config: { endpoint: NOWHERE }, ...once },
    mock('fast'),
    { id: 'slow', uses: 'builtin.wait', config: { duration: 'PT1H' } },
    { id: 'breaks', uses: 'builtin.fail', config: { message: 'no truck' } },
    mock('calm'),
    mock('tidy'),
  ];
  const race = { type: 'race', units: ['slow', 'fast'] };
  const order = ['book', race, { type: 'try', do: 'breaks', catch: 'calm', finally: 'tidy', rethrow: true }];
  await service.register(document('trip', units, { flow: { type: 'sequential', order } }));
  const { runId } = await service.start('trip');
  const { page, faults, close } = await openConsole(browser, address(service, 'trip', runId));
  await page.getByText('1 of what it did could not be undone: try that again.').waitFor();
  await page.getByRole('button', { name: 'slow lost' }).waitFor();
  await page.getByRole('button', { name: 'fast completed winner' }).waitFor();
  await page.getByRole('button', { name: 'breaks failed' }).waitFor();
  for (const name of ['calm completed', 'tidy completed']) await page.getByRole('button', { name }).waitFor();
  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByLabel('Failures only').check();
  const caught = page.getByRole('row', { name: /failure-caught/ });
  expect(await caught.innerText()).toMatch(/breaks\s+no truck/);
  await page.getByRole('link', { name: 'Timeline' }).click();
  await page.getByRole('row', { name: 'Undo', exact: true }).waitFor();
  await page
    .getByRole('row', { name: /unbook undoes book/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Undo again' }).click();
  await page.getByText('What could not be undone is tried again.').waitFor();
  await page
    .getByRole('row', { name: /unbook undoes book/ })
    .nth(1)
    .waitFor();
  expect(faults).toEqual([]);
  await close();
});
