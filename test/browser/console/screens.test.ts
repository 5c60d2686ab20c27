import type { Browser } from 'playwright-core';
import { startService, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';
import { openConsole, startBrowser } from '../support/console-page.js';

/** In each of them, and on a wide and a narrow screen. */
const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 320].map((width) => ({ colorScheme, width })),
);

let browser: Browser;
let service: Service;
let runId: string;
beforeAll(async () => {
  browser = await startBrowser();
  service = await startService();
  const input = {
    type: 'object',
    required: ['amount'],
    properties: {
      amount: { type: 'number', maximum: 9 },
      kind: { enum: ['a', 'b'] },
      more: { type: 'object' },
    },
  };
  const asked = { title: 'Pay?', description: 'Please look.', payload: { to: 'Ada', lines: [{ sum: 7 }] } };
  await service.register(document('gated', [mock('a'), gate('agree', asked), mock('pay')], { input }));
  await service.register(
    document('gated', [mock('a', 'words'), gate('agree', asked), mock('pay')], { input }),
  );
  await service.register(
    document('broken', [{ id: 'a', uses: 'builtin.fail', config: { message: 'no address' } }]),
  );
  ({ runId } = await service.start('gated', { input: { amount: 1 }, sync: true }));
  for (let count = 0; count < 3; count++) await service.start('broken');
  const decided = await service.start('gated', { input: { amount: 2 }, sync: true });
  await service.post(`/workflows/gated/runs/${decided.runId}/hitl`, {
    approved: false,
    comment: 'not today',
  });
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

describe.each(LOOKS)('$colorScheme, $width px wide', ({ colorScheme, width }) => {
  it.each([
    ['the runs', 'runs', 'broken'],
    ['the approvals', 'approvals', 'Please look.'],
    ['the decided gates', 'approvals?tab=decided', 'not today'],
    ['the workflows', 'workflows', 'gated'],
    ['a workflow', 'workflow?workflow=gated', 'apiVersion'],
    ['the diagram of a workflow', 'workflow?workflow=gated&tab=diagram', 'builtin.approval'],
    ['the runs of a workflow', 'workflow?workflow=gated&tab=runs', 'at a gate'],
    ['the versions of a workflow', 'workflow?workflow=gated&tab=versions', 'What changed'],
    ['a new workflow', 'new-workflow', 'It would be registered.'],
    ['the diagram while it is written', 'new-workflow?tab=diagram', 'Of the text as it is.'],
    [
      'what is changed of a workflow',
      'new-workflow?workflow=gated&tab=changes',
      'The text is what is registered.',
    ],
    ['the memory', 'memory?q=words', 'Match'],
    ['the service', 'service', 'It takes work.'],
    ['an address that is none', 'nowhere', 'There is no such screen'],
  ])('%s: axe-core finds nothing, and nothing is wider than the screen', async (_name, address, shown) => {
    const opened = await openConsole(browser, `${service.url}/console/${address}`, {
      colorScheme,
      viewport: { width, height: 800 },
    });
    await opened.page.getByText(shown).first().waitFor({ state: 'attached' });
    expect(await opened.violations()).toEqual([]);
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  it('dialogs: axe-core finds nothing', async () => {
    const opened = await openConsole(browser, `${service.url}/console/workflow?workflow=gated`, {
      colorScheme,
      viewport: { width, height: 800 },
    });
    const { page } = opened;
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await page.getByText('amount is required').waitFor();
    expect(await opened.violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('gat');
    await page.getByRole('option', { name: /gated/ }).first().waitFor();
    expect(await opened.violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    expect(await opened.violations()).toEqual([]);
    expect(opened.faults).toEqual([]);
    await opened.close();
  });
});

it('is found by its keys alone: from the runs to a workflow, through its versions, and to a run', async () => {
  const { page, faults, close } = await openConsole(browser, `${service.url}/console/runs`);
  await page.getByText('broken').first().waitFor();
  await page.keyboard.press('/');
  await page.locator('input[role=combobox]:focus').waitFor();
  await page.keyboard.type('gated');
  await page.keyboard.press('Enter');
  await page.waitForURL(/workflow\?workflow=gated/);
  await page.keyboard.press('Control+k');
  await page.locator('input[role=combobox]:focus').waitFor();
  await page.keyboard.type(runId.slice(0, 30));
  await page.keyboard.press('Enter');
  await page.waitForURL(/runs\?id=/);
  await page.getByText(`…${runId.slice(-8)}`).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`run=${runId}`));
  expect(faults).toEqual([]);
  await close();
});

it('a filter is in the address, and an address is a view', async () => {
  const { page, faults, close } = await openConsole(browser, `${service.url}/console/runs?status=failed`);
  await page
    .getByRole('row', { name: /broken/ })
    .nth(2)
    .waitFor();
  expect(await page.getByRole('row', { name: /at a gate/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'At a gate' }).click();
  await page.waitForURL(/runs\?gate=open/);
  await page.getByRole('row', { name: /at a gate/ }).waitFor();
  expect(await page.getByRole('row', { name: /broken/ }).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});
