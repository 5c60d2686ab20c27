import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { startService, type Service } from '../../../support/service.js';
import { document, gate, mock } from '../../../support/workflow-documents.js';
import { openConsole, startBrowser } from '../../support/console-page.js';

/** An id with all that addresses treat in ways of their own. */
const ID = 'pay/back 100% "now"';
const PATH = `/workflows/${encodeURIComponent(ID)}/runs`;
const LARGE = 'x'.repeat(20_000);

let browser: Browser;
let service: Service;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  service = await startService();
  const input = {
    type: 'object',
    required: ['amount'],
    properties: { amount: { type: 'number', maximum: 9 }, note: { type: 'string' } },
  };
  const held = mock('pay', 'paid', { pause: 'before' });
  await service.register(document(ID, [mock('check'), held, mock('tell')], { input }));
  await service.register(document('gated', [mock('a'), gate('agree')]));
});
afterEach(() => service.close());

const address = (workflow: string, runId: string): string =>
  `${service.url}/console/run?workflow=${encodeURIComponent(workflow)}&run=${runId}`;
const inputOf = async (runId: string): Promise<unknown> =>
  (await service.get(`${PATH}/${runId}/events/1?view=log`)).body.data.input;

it('a run that waits is resumed, and one at a gate is cancelled', async () => {
  const { runId } = await service.start(ID, { input: { amount: 1 }, sync: true });
  const { page, faults, close } = await openConsole(browser, address(ID, runId));
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Resumed.').waitFor();
  await page.getByText(/It completed/).waitFor();
  expect((await service.get(`${PATH}/${runId}`)).body.status).toBe('completed');

  const gated = await service.start('gated');
  await page.goto(address('gated', gated.runId));
  await page.getByRole('button', { name: 'agree at a gate' }).waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('Cancelled.').waitFor();
  await page
    .locator('.why')
    .getByText(/cancelled/i)
    .waitFor();
  expect(await service.run(gated)).toMatchObject({ status: 'failed', cancelled: true });
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await close();
});

it('a run is begun again as it was, however large its input', async () => {
  const given = { amount: 2, note: LARGE };
  const { runId } = await service.start(ID, { input: given, sync: true });
  const { page, faults, close } = await openConsole(browser, address(ID, runId));
  await page.getByRole('button', { name: 'Again', exact: true }).click();
  await page.getByText('Started again.').waitFor();
  await page.waitForURL((url) => url.searchParams.get('run') !== runId);
  const again = new URL(page.url()).searchParams.get('run') ?? '';
  expect(new URL(page.url()).searchParams.get('workflow')).toBe(ID);
  expect(await inputOf(again)).toEqual(given);
  expect(faults).toEqual([]);
  await close();
});

it('a run is begun again with changes: its input stands in the form, and what the service has against it at its field', async () => {
  const { runId } = await service.start(ID, { input: { amount: 3, note: 'as\nbefore' }, sync: true });
  const { page, faults, violations, close } = await openConsole(browser, address(ID, runId), {
    expected: /400/,
  });
  await page.getByRole('button', { name: 'Again with changes' }).click();
  const dialog = page.getByRole('dialog', { name: `Start ${ID}` });
  expect(await dialog.getByLabel('note').inputValue()).toBe('as\nbefore');
  expect(await violations()).toEqual([]);
  await dialog.getByLabel('amount').fill('10');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await dialog.locator('[aria-invalid=true]').waitFor();
  await dialog.getByLabel('amount').fill('4');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL((url) => url.searchParams.get('run') !== runId);
  const again = new URL(page.url()).searchParams.get('run') ?? '';
  expect(await inputOf(again)).toEqual({ amount: 4, note: 'as\nbefore' });
  expect(faults).toEqual([]);
  await close();
});

it('an input that the form has no fields for is changed as JSON', async () => {
  const given = { amount: 3, more: { deep: [1] } };
  const { runId } = await service.start(ID, { input: given, sync: true });
  const { page, faults, close } = await openConsole(browser, address(ID, runId));
  await page.getByRole('button', { name: 'Again with changes' }).click();
  const text = page.getByRole('dialog').getByLabel('Input, as JSON');
  expect(JSON.parse(await text.inputValue())).toEqual(given);
  await page.getByRole('dialog').getByRole('button', { name: 'As a form' }).click();
  await page.getByText('The form has no field for more.deep:').waitFor();
  await text.fill(JSON.stringify({ ...given, amount: 5 }));
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await page.waitForURL((url) => url.searchParams.get('run') !== runId);
  expect(await inputOf(new URL(page.url()).searchParams.get('run') ?? '')).toEqual({ ...given, amount: 5 });
  expect(faults).toEqual([]);
  await close();
});

it('a run is exported as a file that the service takes in', async () => {
  const { runId } = await service.start(ID, { input: { amount: 1, note: LARGE }, sync: true });
  const { page, faults, close } = await openConsole(browser, address(ID, runId));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${runId}.ndjson`);
  await page.getByText('Exported.').waitFor();
  const lines = await readFile(await download.path(), 'utf8');
  const elsewhere = await startService();
  const { status, body } = await elsewhere.post('/runs/import', lines);
  expect([status, body.runId]).toEqual([201, runId]);
  await elsewhere.close();
  expect(faults).toEqual([]);
  await close();
});

it('an output of a megabyte is a file, and the page stays usable', async () => {
  const value = { text: 'é'.repeat(600_000) };
  await service.register(document('large', [mock('many', value), mock('after')]));
  const { runId } = await service.start('large');
  const { page, faults, close } = await openConsole(browser, `${address('large', runId)}&tab=graph`);
  await page.getByRole('button', { name: 'many completed' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Save all/ }).click(),
  ]);
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toEqual(value);
  const shown: number = await page.evaluate('document.body.innerText.length');
  expect(shown).toBeLessThan(250_000);
  await page.getByRole('link', { name: 'State' }).click();
  await page.getByRole('row', { name: /output.many/ }).waitFor();
  await page.getByRole('link', { name: 'Timeline' }).click();
  await page.getByRole('row', { name: /after/ }).click();
  await page.getByRole('complementary').getByRole('heading', { name: 'after' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});
