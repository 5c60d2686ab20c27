import type { Browser, Page } from 'playwright-core';
import { startService, type Service } from '../../../support/service.js';
import { document, gate, mock } from '../../../support/workflow-documents.js';
import { openConsole, startBrowser } from '../../support/console-page.js';

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

const address = (workflow: string, run: string, more = ''): string =>
  `${service.url}/console/run?workflow=${workflow}&run=${run}${more}`;
const focused = (page: Page): Promise<string | null> =>
  page.evaluate('document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent');

async function branched(): Promise<string> {
  const units = [
    mock('first'),
    mock('left'),
    mock('right'),
    { id: 'end', uses: 'builtin.fail', config: { message: 'no' } },
  ];
  const order = ['first', { type: 'parallel', units: ['left', 'right'] }, 'end'];
  await service.register(document('branched', units, { flow: { type: 'sequential', order } }));
  return (await service.start('branched')).runId;
}

it('the keyboard alone walks the graph and the timeline, and goes from failure to failure', async () => {
  const runId = await branched();
  const { page, faults, close } = await openConsole(browser, address('branched', runId, '&at=none'));
  const first = page.getByRole('button', { name: 'first completed' });
  await first.waitFor();
  await first.focus();
  for (const [key, name] of [
    ['ArrowDown', 'left completed'],
    ['ArrowRight', 'right completed'],
    ['ArrowDown', 'end failed'],
    ['ArrowUp', 'left completed'],
    ['ArrowRight', 'right completed'],
  ] as const) {
    await page.keyboard.press(key);
    await page.getByRole('button', { name }).and(page.locator(':focus')).waitFor();
  }
  await page.keyboard.press('Enter');
  await page.getByRole('complementary').getByRole('heading', { name: 'right' }).waitFor();
  await page.keyboard.press('e');
  await page.getByRole('complementary').getByRole('heading', { name: 'end' }).waitFor();

  await page.getByRole('link', { name: 'Timeline' }).focus();
  await page.keyboard.press('Enter');
  const rows = page.getByRole('row');
  await rows.first().waitFor();
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.locator('[aria-expanded=true]:focus').waitFor();
  const before = await rows.count();
  await page.keyboard.press('ArrowLeft');
  await page.locator('[aria-expanded=false]:focus').waitFor();
  expect(await rows.count()).toBe(before - 1);
  await page.keyboard.press('Home');
  await page.locator('[role=row]:focus').getByText('first').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('complementary').getByRole('heading', { name: 'first' }).waitFor();
  expect(await focused(page)).toContain('first');
  expect(faults).toEqual([]);
  await close();
});

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 320],
] as const)('nothing of it bars anybody: %s, %d px', async (colorScheme, width) => {
  const runId = await branched();
  const { page, faults, violations, close } = await openConsole(browser, address('branched', runId), {
    colorScheme,
    viewport: { width, height: 800 },
  });
  await page.getByText('end failed').waitFor();
  for (const tab of ['Graph', 'Timeline', 'Events', 'State']) {
    await page.getByRole('link', { name: tab, exact: true }).click();
    await page
      .getByRole('link', { name: tab, exact: true, disabled: false })
      .and(page.locator('[aria-current=page]'))
      .waitFor();
    expect(await violations()).toEqual([]);
  }
  for (const [button, title] of [
    ['Fork', 'Fork this run'],
    ['Rewind', 'Go back'],
    ['From code', 'From code'],
    ['Compare', 'Compare with another run'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog', { name: title }).waitFor();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  expect(faults).toEqual([]);
  await close();
});

it.each([[3], [4], [5], [6]])(
  'the tools of the graph lie over none of its units: %d of them',
  async (count) => {
    const units = Array.from({ length: count }, (_, index) => mock(`unit-${index}`));
    await service.register(document('short', units));
    const { runId } = await service.start('short');
    const { page, close } = await openConsole(browser, address('short', runId), {
      viewport: { width: 960, height: 700 },
    });
    const last = page.getByRole('button', { name: `unit-${count - 1} completed` });
    await last.scrollIntoViewIfNeeded();
    const [unit, tools] = [await last.boundingBox(), await page.locator('.graph-tools').boundingBox()];
    if (unit === null || tools === null) throw new Error('One of them is not shown');
    const isBeside = unit.x + unit.width <= tools.x || tools.x + tools.width <= unit.x;
    const isAboveOrBelow = unit.y + unit.height <= tools.y || tools.y + tools.height <= unit.y;
    expect(isBeside || isAboveOrBelow).toBe(true);
    await close();
  },
);

it('ten thousand events are a page of few elements', async () => {
  const flow = { type: 'foreach', items: 'input.items', maxConcurrency: 100, do: 'each' };
  await service.register(document('long', [mock('each')], { flow }));
  const items = Array.from({ length: 3_400 }, (_, index) => index);
  const { runId } = await service.start('long', { input: { items }, sync: true });
  const { page, faults, close } = await openConsole(browser, address('long', runId, '&tab=events'));
  await page.getByText(/10,20\d of 10,20\d/).waitFor();
  const elements = (): Promise<number> => page.evaluate('document.querySelectorAll("*").length');
  expect(await elements()).toBeLessThan(1_500);
  await page.getByRole('table', { name: 'Events' }).evaluate((list) => (list.scrollTop = list.scrollHeight));
  await page.getByRole('button', { name: 'run-completed' }).waitFor();
  await page.getByRole('link', { name: 'Timeline' }).click();
  await page.getByRole('treegrid').evaluate((list) => (list.scrollTop = list.scrollHeight));
  await page.getByText('Show 3380 more').click();
  expect(await elements()).toBeLessThan(1_500);
  await page.getByRole('link', { name: 'Graph' }).click();
  await page.getByRole('button', { name: /each completed 3400 completed/ }).waitFor();
  await page.getByText('3400 done').waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('the state of a checkpoint is compared with that of another, and going back says what that means', async () => {
  await service.register(document('gated', [mock('check', 1), gate('ask'), mock('pay', 2)]));
  const { runId } = await service.start('gated');
  await service.post(`/workflows/gated/runs/${runId}/hitl`, { approved: true, responder: 'ann' });
  const { page, faults, close } = await openConsole(browser, address('gated', runId, '&tab=state'));
  const choose = async (label: string, text: RegExp): Promise<void> => {
    const options = await page.getByLabel(label).locator('option').allTextContents();
    await page.getByLabel(label).selectOption(options.find((option) => text.test(option)) ?? '');
  };
  await page.getByText('output.pay').waitFor();
  await choose('Compared with', /unit finished check/);
  await page.getByRole('row', { name: /output.pay added/ }).waitFor();
  expect(await page.getByRole('row', { name: /output.check/ }).count()).toBe(0);

  await page.getByRole('button', { name: 'Rewind' }).click();
  const dialog = page.getByRole('dialog', { name: 'Go back' });
  await choose('To the checkpoint', /gate decided ask/);
  await dialog.getByText('Decisions that count: ask (approved by ann)').waitFor();
  await dialog.getByText('Called again: pay').waitFor();
  await dialog.getByRole('button', { name: 'Go back and go on' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Timeline' }).click();
  await page.getByRole('row', { name: /pay/ }).nth(1).waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('two runs that are alike as far as their logs tell may differ in what those leave out, which is compared on demand', async () => {
  await service.register(document('large', [mock('a', { text: 'same' }), mock('b', 'same')]));
  const text = 'x'.repeat(9_000);
  const start = async (last: string): Promise<string> =>
    (await service.start('large', { input: { text: `${text}${last}` }, sync: true })).runId;
  const [other, same, another] = [await start('1'), await start('1'), await start('2')];
  for (const [runId, verdict] of [
    [same, 'These runs did the same, with the same.'],
    [another, 'They part at a: it was given something else.'],
  ] as const) {
    const opened = await openConsole(browser, address('large', runId, `&tab=compare&compare=${other}`));
    const { page, faults, violations, close } = opened;
    await page.getByText('These runs did the same, as far as their logs tell.').waitFor();
    await page.getByText('In them may differ: a, b.').waitFor();
    await page.getByText('0 of 2 calls are the same; 2 may differ.').waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: /^Compare \d+ KiB of them$/ }).click();
    await page.getByText(verdict).waitFor();
    expect(await page.getByText('may differ').count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  }
});
