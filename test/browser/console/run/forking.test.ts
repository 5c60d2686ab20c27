import type { Browser, Locator } from 'playwright-core';
import { startService, type Service } from '../../../support/service.js';
import { document, mock } from '../../../support/workflow-documents.js';
import { openConsole, startBrowser, type ConsolePage } from '../../support/console-page.js';

const LARGE = 'x'.repeat(9_000);

let browser: Browser;
let service: Service;
let runId: string;
beforeAll(async () => {
  browser = await startBrowser();
  service = await startService();
  const unit = (id: string, given: object) => mock(id, `${id} done`, { with: given });
  const large = { text: '${{ input.text }}', tone: 'dry' };
  await service.register(
    document('three', [unit('a', { of: 'a' }), unit('b', { of: 'b' }), unit('c', large)]),
  );
  ({ runId } = await service.start('three', { input: { text: LARGE }, sync: true }));
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

/** The dialog, opened while the last call of a unit is selected. */
async function forkDialog(unitId: string): Promise<ConsolePage & { readonly dialog: Locator }> {
  const address = `${service.url}/console/run?workflow=three&run=${runId}`;
  const opened = await openConsole(browser, address);
  const { page } = opened;
  await page.getByRole('button', { name: `${unitId} completed` }).click();
  await page.getByRole('complementary').getByRole('heading', { name: unitId }).waitFor();
  await page.getByRole('button', { name: 'Fork' }).click();
  const dialog = page.getByRole('dialog', { name: 'Fork this run' });
  await dialog.getByLabel(`What ${unitId} is given`).waitFor();
  return { ...opened, dialog };
}

/** Has the fork begin before another unit. */
async function choose(dialog: Locator, unitId: string): Promise<void> {
  const option = dialog
    .locator('optgroup')
    .first()
    .locator('option', { hasText: `: ${unitId}` });
  await dialog.getByLabel('From').selectOption((await option.getAttribute('value')) ?? '');
  await dialog.getByLabel(`What ${unitId} is given`).waitFor();
}

describe('a fork before a unit', () => {
  it('gives another unit that is chosen what that one was given, not what the first one was', async () => {
    const { page, dialog, faults, close } = await forkDialog('b');
    await choose(dialog, 'a');
    expect(JSON.parse(await dialog.getByLabel('What a is given').inputValue())).toEqual({ of: 'a' });
    const [request] = await Promise.all([
      page.waitForRequest(/\/fork$/),
      dialog.getByRole('button', { name: 'Go on from here' }).click(),
    ]);
    expect(request.postDataJSON()).not.toHaveProperty('unitInput');
    expect(faults).toEqual([]);
    await close();
  });

  it('leaves out what was written for a unit that is no longer chosen', async () => {
    const { page, dialog, faults, close } = await forkDialog('b');
    await dialog.getByLabel('What b is given').fill('{ "of": "somebody" }');
    await choose(dialog, 'a');
    await dialog.getByLabel('What a is given').fill('{ "of": "else" }');
    const [request] = await Promise.all([
      page.waitForRequest(/\/fork$/),
      dialog.getByRole('button', { name: 'Go on from here' }).click(),
    ]);
    expect(request.postDataJSON()).toMatchObject({ from: { unitId: 'a' }, unitInput: { of: 'else' } });
    expect(faults).toEqual([]);
    await close();
  });

  it('shows the whole of what the unit was given, so that a change of a part keeps the rest', async () => {
    const { page, dialog, faults, close } = await forkDialog('c');
    const field = dialog.getByLabel('What c is given');
    expect(JSON.parse(await field.inputValue())).toEqual({ text: LARGE, tone: 'dry' });
    await field.fill((await field.inputValue()).replace('dry', 'warm'));
    const [request] = await Promise.all([
      page.waitForRequest(/\/fork$/),
      dialog.getByRole('button', { name: 'Go on from here' }).click(),
    ]);
    expect(request.postDataJSON()).toMatchObject({ unitInput: { text: LARGE, tone: 'warm' } });
    expect(faults).toEqual([]);
    await close();
  });
});

it('what a fork inherited shows what it was given and gave in the run that it is of, whole where that is wanted', async () => {
  const plain = mock('plain', 'plain done');
  const large = mock('large', 'large done', { with: { text: '${{ input.text }}', tone: 'dry' } });
  await service.register(document('inherited', [plain, large, mock('last')]));
  const source = await service.start('inherited', { input: { text: LARGE, of: 'source' }, sync: true });
  const fork = async (of: string): Promise<string> =>
    (
      await service.post(`/workflows/inherited/runs/${of}/fork`, {
        from: { unitId: 'last' },
        input: { text: 'short', of: 'fork' },
        sync: true,
      })
    ).body.runId;
  const forked = await fork(source.runId);
  for (const shown of [forked, await fork(forked)]) {
    const address = `${service.url}/console/run?workflow=inherited&run=${shown}`;
    const { page, faults, close } = await openConsole(browser, address);
    const inspector = page.getByRole('complementary');
    await page.getByRole('button', { name: 'plain completed' }).click();
    await inspector.getByText('"of": "source"').waitFor();
    await inspector.getByRole('heading', { name: 'Output' }).waitFor();
    await inspector.getByText('"plain done"').first().waitFor();
    await page.getByRole('button', { name: 'large completed' }).click();
    await inspector.getByRole('button', { name: /Show all/ }).click();
    await inspector.getByText(LARGE.slice(0, 8_500)).waitFor();
    await inspector.getByText('"tone": "dry"').waitFor();
    await page.getByRole('button', { name: 'last completed' }).click();
    await inspector.getByText('"of": "fork"').waitFor();
    expect(faults).toEqual([]);
    await close();
  }
});
