// What the page computes for a frame while somebody scrolls or pans, and while a run changes, on a slow machine: its thread's own
// time, divided by the frames in which something moved. Not measured: painting and compositing, which other threads do.
import type { Page } from 'playwright-core';
import type { Quantity } from '../../support/results.ts';
import { slowPage, type SlowPage } from '../../support/slow-page.ts';
import { figureOf } from '../../support/statistics.ts';
import { addressOf, cancel, startChangingRun, type LongRun } from './opened-runs.ts';
import type { Opened } from './shown.ts';

const FRAMES = 120;
const CHANGING_MS = 4_000;
/** In pixels, of one frame: a hand that hurries. */
const STEP = 60;

/** Counts the frames in which the graph was drawn. */
const COUNTING = `globalThis.drawn = 0;
  const clear = CanvasRenderingContext2D.prototype.clearRect;
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    globalThis.drawn += 1;
    return clear.apply(this, area);
  };`;

export async function frames(opened: Opened, long: LongRun): Promise<readonly Quantity[]> {
  const scrolled = await many(opened, (page) =>
    moving(
      page,
      addressOf(opened.root, long, '&tab=events&at=none'),
      '.windowed',
      `scroller.scrollTop += ${STEP}`,
    ),
  );
  const panned = await many(opened, (page) =>
    moving(
      page,
      addressOf(opened.root, long, '&at=none'),
      '.graph-scroller',
      `scroller.scrollTo(scroller.scrollLeft + ${STEP} / 4, scroller.scrollTop + ${STEP})`,
    ),
  );
  const pannedFar = await many(opened, (page) =>
    moving(
      page,
      addressOf(opened.root, long, '&at=none'),
      '.graph-scroller',
      `scroller.scrollTop += left % 40 < 20 ? ${STEP} : -${STEP}`,
      4,
    ),
  );
  const changing = await many(opened, (page) => changes(page, opened.root, false));
  const changingFar = await many(opened, (page) => changes(page, opened.root, true));
  const quantity = (id: string, title: string, ms: readonly number[]): Quantity => ({
    id: `console-frame-${id}`,
    title: `CPU of a frame: ${title}`,
    unit: 'ms',
    value: figureOf(ms),
  });
  return [
    quantity('scrolling', 'ten thousand events scrolled', scrolled),
    quantity('panned', '500 units panned', panned),
    quantity('panned-far', '500 units panned, drawn', pannedFar),
    quantity('changing', '500 units changing, near', changing),
    quantity('changing-far', '500 units changing, all in view', changingFar),
  ];
}

async function many(
  { browser, rounds }: Opened,
  measure: (page: SlowPage) => Promise<number>,
): Promise<readonly number[]> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const page = await slowPage(browser, { cpu: true, before: COUNTING });
    try {
      values.push(await measure(page));
    } finally {
      await page.close();
    }
  }
  return values;
}

async function moving(
  { page, cpuMs }: SlowPage,
  address: string,
  scroller: string,
  step: string,
  smaller = 0,
): Promise<number> {
  await page.goto(address);
  await page.locator(scroller).waitFor();
  for (let clicks = 0; clicks < smaller; clicks++)
    await page.getByRole('button', { name: 'Smaller' }).click();
  // A first look at it is over.
  await page.waitForTimeout(500);
  const before = await cpuMs();
  await page.evaluate(`new Promise((done) => {
    const scroller = document.querySelector(${JSON.stringify(scroller)});
    let left = ${FRAMES};
    const next = () => {
      if (left-- === 0) return done();
      ${step};
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  })`);
  return ((await cpuMs()) - before) / FRAMES;
}

async function changes({ page, cpuMs }: SlowPage, root: string, isFar: boolean): Promise<number> {
  const run = await startChangingRun(root);
  try {
    await page.goto(addressOf(root, run, '&at=none'));
    await page.locator('.graph-scroller').waitFor();
    if (isFar) await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.waitForTimeout(500);
    const before = await cpuMs();
    const drawnBefore = await drawn(page);
    await page.waitForTimeout(CHANGING_MS);
    const drawnFrames = (await drawn(page)) - drawnBefore;
    if (drawnFrames === 0) throw new Error('Nothing changed: the run was over, or the machine too busy.');
    return ((await cpuMs()) - before) / drawnFrames;
  } finally {
    await cancel(root, run);
  }
}

function drawn(page: Page): Promise<number> {
  return page.evaluate('globalThis.drawn');
}
