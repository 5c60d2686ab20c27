import type { Browser, Page } from 'playwright-core';
import { startService, type Service } from '../../../support/service.js';
import { document, mock } from '../../../support/workflow-documents.js';
import { openConsole, startBrowser } from '../../support/console-page.js';

/** What a page may be made of, however large the run is. */
const MOST_ELEMENTS = 1_500;

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
const elements = (page: Page): Promise<number> => page.evaluate('document.querySelectorAll("*").length');
const boxes = (page: Page) => page.locator('.unit-box');

/** 500 units, ten next to one another, all called seven times: more than 10,000 events. */
async function fiveHundredUnits(): Promise<string> {
  const ids = Array.from({ length: 500 }, (_, index) => `u${index}`);
  const rows = Array.from({ length: 50 }, (_, row) => ({
    type: 'parallel',
    units: ids.slice(row * 10, row * 10 + 10),
  }));
  const flow = {
    type: 'foreach',
    items: 'input.items',
    maxConcurrency: 7,
    do: { type: 'sequential', order: rows },
  };
  await service.register(
    document(
      'wide',
      ids.map((id) => mock(id)),
      { flow },
    ),
  );
  const { runId } = await service.start('wide', { input: { items: [1, 2, 3, 4, 5, 6, 7] }, sync: true });
  return runId;
}

it('five hundred units and ten thousand events are a page of few elements, near and far, and all of them can be reached', async () => {
  const runId = await fiveHundredUnits();
  const { page, faults, violations, close } = await openConsole(browser, address('wide', runId, '&at=none'), {
    viewport: { width: 1920, height: 1200 },
  });
  await page.getByRole('button', { name: /^u0 completed/ }).waitFor();
  const { items } = (await service.get(`/workflows/wide/runs/${runId}/events?tail=1`)).body;
  expect(items[0].seq).toBeGreaterThanOrEqual(10_000);

  // Near: those in view are buttons. Smaller and smaller: fewer elements, and never more than there may be.
  expect(await boxes(page).count()).toBeGreaterThan(10);
  const smaller = page.getByRole('button', { name: 'Smaller' });
  for (let step = 0; await smaller.isEnabled(); step++) {
    expect(await elements(page)).toBeLessThanOrEqual(MOST_ELEMENTS);
    await smaller.click();
  }
  expect(await elements(page)).toBeLessThanOrEqual(MOST_ELEMENTS);
  expect(await boxes(page).count()).toBe(1);
  expect(await violations()).toEqual([]);

  // What is drawn can be pointed at.
  await page.getByRole('button', { name: 'All', exact: true }).click();
  const scroller = page.getByRole('group', { name: 'The flow of the run' });
  const drawn = await scroller.boundingBox();
  await scroller.click({ position: { x: (drawn?.width ?? 0) / 2, y: (drawn?.height ?? 0) / 2 } });
  const chosen = page.getByRole('complementary').getByRole('heading', { name: /^u\d+$/ });
  await chosen.waitFor();

  // The keyboard walks it from there, and what it is at is in view, with a mark around it.
  const selected = page.locator('.unit-box.selected');
  const before = await selected.getAttribute('data-path');
  await selected.focus();
  await page.keyboard.press('ArrowDown');
  const focused = page.locator('.unit-box:focus');
  await focused.waitFor();
  expect(await focused.getAttribute('data-path')).not.toBe(before);
  await page.keyboard.press('Enter');
  await page.locator('.unit-box.selected:focus').waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('nobody moves the view but the one who looks, whatever the run does', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `s${index}`);
  const units = ids.map((id) => mock(id, 'done', { config: { delayMs: 100 } }));
  await service.register(document('moving', units));
  const { runId } = await service.start('moving', {});
  const { page, faults, close } = await openConsole(browser, address('moving', runId, '&at=none'));
  const scroller = page.getByRole('group', { name: 'The flow of the run' });
  await page.getByRole('button', { name: /^s0 / }).waitFor();
  await scroller.evaluate((element) => (element.scrollTop = 130));
  await page.getByRole('button', { name: 's4 completed' }).waitFor();
  await page.getByText(/It completed in/).waitFor();
  expect(await scroller.evaluate((element) => element.scrollTop)).toBe(130);

  // At another size the middle stays where it is.
  const middle = () => scroller.evaluate((element) => element.scrollTop + element.clientHeight / 2);
  await scroller.evaluate((element) => (element.scrollTop = 1_000));
  const before = await middle();
  await page.getByRole('button', { name: 'Smaller' }).click();
  await page.getByText('85 %').waitFor();
  expect(Math.abs((await middle()) - before * 0.85)).toBeLessThanOrEqual(2);
  expect(faults).toEqual([]);
  await close();
});

it('a dag inside of a foreach inside of a dag is laid out so that no lines cross, the inner one and the outer one', async () => {
  const crossing = (first: string, second: string, third: string, fourth: string) => ({
    type: 'dag',
    executors: [first, second, third, fourth],
    dependencies: { [third]: [second], [fourth]: [first] },
  });
  const inner = crossing('a', 'b', 'c', 'd');
  const outer = crossing('e', 'f', 'g', 'h');
  const flow = {
    ...outer,
    executors: [...outer.executors, { type: 'foreach', items: 'input.items', do: inner }],
  };
  await service.register(
    document(
      'dags',
      [...'abcdefgh'].map((id) => mock(id)),
      { flow },
    ),
  );
  const { runId } = await service.start('dags', { input: { items: [1, 2] }, sync: true });
  const { page, faults, close } = await openConsole(browser, address('dags', runId, '&at=none'));
  await page.getByRole('button', { name: /^d completed/ }).waitFor();
  // By depth alone c stands below a, which it does not wait for.
  for (const ids of ['abcd', 'efgh'])
    while (!(await page.evaluate(`(${isUncrossed})(${JSON.stringify([...ids])})`)))
      await page.waitForTimeout(50);
  expect(faults).toEqual([]);
  await close();
});

/** Runs in the page: whether the fourth, which waits for the first, stands on the same side as it. */
const isUncrossed = `(ids) => {
  const [first, second, third, fourth] = ids.map((id) =>
    [...document.querySelectorAll('.unit-box')]
      .find((box) => box.querySelector('.unit-name').textContent === id)
      .getBoundingClientRect().x);
  return (first < second) === (fourth < third) && first !== second && third !== fourth;
}`;

it('of more than twenty thousand events the newest are shown, which every view says, and so does a comparison, and older ones are read on demand', async () => {
  const flow = { type: 'foreach', items: 'input.items', maxConcurrency: 100, do: 'each' };
  await service.register(document('endless', [mock('each')], { flow }));
  const items = Array.from({ length: 7_500 }, (_, index) => index);
  const { runId } = await service.start('endless', { input: { items }, sync: true });
  const { page, faults, close } = await openConsole(browser, address('endless', runId, '&at=none'), {
    expected: /ERR_FAILED/,
  });
  const said = page.getByText(/These are the newest 20,000 events/);
  await said.waitFor();
  for (const tab of ['Timeline', 'Events']) {
    await page.getByRole('link', { name: tab, exact: true }).click();
    await page.locator('[aria-current=page]').getByText(tab).waitFor();
    expect(await said.isVisible()).toBe(true);
  }
  expect(await elements(page)).toBeLessThanOrEqual(MOST_ELEMENTS);
  expect(await forkBeforeTheLast(page)).toEqual({ unitId: 'each', occurrence: 7_500 });
  const other = await service.start('endless', { input: { items }, sync: true });
  await page.goto(address('endless', runId, `&tab=compare&compare=${other.runId}`));
  await page.getByText(/not compared: 2,5\d\d of the other run and 2,5\d\d of this one\./).waitFor();
  await page.getByText('These runs did the same, as far as their logs tell.').waitFor();
  await page.getByRole('button', { name: 'Read earlier ones' }).click();
  await said.waitFor({ state: 'detached' });
  await page.getByText(/not compared: 2,5\d\d of the other run\./).waitFor();
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByText(/22,5\d\d of 22,5\d\d/).waitFor();
  await page.getByRole('link', { name: 'Graph', exact: true }).click();
  await page.getByText('7500 done').waitFor();
  expect(await elements(page)).toBeLessThanOrEqual(MOST_ELEMENTS);
  expect(faults).toEqual([]);
  await close();
});

/** From where a fork is asked for before the last call of all; the request itself is not let through. */
async function forkBeforeTheLast(page: Page): Promise<unknown> {
  await page.route(/\/fork$/, (route) => route.abort());
  await page.getByRole('button', { name: 'Fork' }).click();
  const dialog = page.getByRole('dialog', { name: 'Fork this run' });
  const last = dialog.locator('optgroup').first().locator('option').last();
  await dialog.getByLabel('From').selectOption((await last.getAttribute('value')) ?? '');
  const [request] = await Promise.all([
    page.waitForRequest(/\/fork$/),
    dialog.getByRole('button', { name: 'Go on from here' }).click(),
  ]);
  await dialog.getByRole('button', { name: 'Leave it' }).click();
  return (request.postDataJSON() as { readonly from: unknown }).from;
}
