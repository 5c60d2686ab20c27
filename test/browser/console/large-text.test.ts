import type { Browser, Page } from 'playwright-core';
import { startService, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';
import { openConsole, startBrowser } from '../support/console-page.js';

/** On a narrow screen, with text as it is; and with text of twice the size, on a screen of which little is left then. */
const LOOKS = [
  { text: 100, width: 320 },
  { text: 200, width: 640 },
] as const;

let browser: Browser;
let service: Service;
let atGate: string;
let failed: string;
beforeAll(async () => {
  browser = await startBrowser();
  service = await startService();
  const input = {
    type: 'object',
    required: ['amount'],
    properties: { amount: { type: 'number', maximum: 9 }, kind: { enum: ['a', 'b'] } },
  };
  const asked = {
    title: 'Shall 120 € be paid back?',
    description: 'Please look.',
    payload: { to: 'Ada', lines: [{ sum: 7 }] },
  };
  const units = [mock('a', 'words'), gate('agree', asked), mock('pay')];
  await service.register(document('gated', units, { input }));
  await service.register(
    document('a-workflow-with-a-name-that-is-long', [
      mock('one'),
      mock('two'),
      { id: 'a', uses: 'builtin.fail', config: { message: 'no address' } },
    ]),
  );
  ({ runId: atGate } = await service.start('gated', { input: { amount: 1 }, sync: true }));
  ({ runId: failed } = await service.start('a-workflow-with-a-name-that-is-long'));
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

/** As a browser does whose owner asked for larger text. */
async function enlarge(page: Page, percent: number): Promise<void> {
  await page.evaluate(`document.documentElement.style.fontSize = '${percent}%'`);
  // What measures itself has done so.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/** In the page: what is wrong with what is shown, each in a sentence. */
const FAULTS = `(() => {
  const shown = (element) => {
    const { visibility, clipPath } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    return element.checkVisibility() && visibility !== 'hidden' && !clipPath.startsWith('inset') && width > 1 && height > 1;
  };
  const name = (element) => element.outerHTML.slice(0, 120);
  const faults = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) {
    const wide = [...document.querySelectorAll('body *')].filter((one) => shown(one) && one.getBoundingClientRect().right > clientWidth + 1);
    faults.push('wider than the screen: ' + scrollWidth + ' of ' + clientWidth + ', by ' + wide.slice(0, 3).map(name).join(' and '));
  }
  for (const control of document.querySelectorAll('button, select, input, textarea, a[href], [tabindex="0"]')) {
    if (!shown(control) || control.closest('.skip') !== null) continue;
    const box = control.getBoundingClientRect();
    const isInText = control.tagName === 'A' && getComputedStyle(control).display === 'inline';
    const target = control.matches('input[type=checkbox], input[type=radio]') ? (control.closest('label') ?? control).getBoundingClientRect() : box;
    if (!isInText && (target.width < 23.5 || target.height < 23.5))
      faults.push('a target of ' + Math.round(target.width) + ' by ' + Math.round(target.height) + ': ' + name(control));
    if (control.tagName === 'BUTTON' && (control.scrollWidth > control.clientWidth + 1 || control.scrollHeight > control.clientHeight + 1)
      && getComputedStyle(control).overflow !== 'visible')
      faults.push('cut off: ' + name(control));
    if (control.tagName === 'BUTTON' && !control.matches('.unit-box'))
      for (const child of control.children) {
        const inner = child.getBoundingClientRect();
        if (shown(child) && (inner.bottom > box.bottom + 2 || inner.right > box.right + 2))
          faults.push('sticks out: ' + name(child));
      }
    for (let around = control.parentElement; around !== null; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      const outer = around.getBoundingClientRect();
      if ((overflowX === 'hidden' || overflowX === 'clip') && (box.right > outer.right + 1 || box.left < outer.left - 1))
        faults.push('cut off at the side: ' + name(control));
      if (overflowX !== 'visible' || overflowY !== 'visible') break;
    }
  }
  return faults;
})()`;

/** In the page: what has the focus and is hidden, all of it, by what is fixed or by the edge of the screen; null: it is seen. */
const HIDDEN_FOCUS = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body) return null;
  const box = at.getBoundingClientRect();
  const shares = [0.1, 0.3, 0.5, 0.7, 0.9];
  const isSeen = shares.some((down) => shares.some((along) => {
    const top = document.elementFromPoint(box.left + box.width * along, box.top + box.height * down);
    return top !== null && (at.contains(top) || top.closest('label')?.contains(at) === true);
  }));
  return isSeen ? null : at.outerHTML.slice(0, 160);
})()`;

const SCREENS = [
  ['the runs', () => 'runs', 'Runs'],
  ['the approvals', () => 'approvals', 'Please look.'],
  ['the decided gates', () => 'approvals?tab=decided', 'not today'],
  ['the workflows', () => 'workflows', 'gated'],
  ['a workflow', () => 'workflow?workflow=gated', 'apiVersion'],
  ['a new workflow', () => 'new-workflow', 'Register'],
  ['the memory', () => 'memory?q=words', 'Match'],
  ['the service', () => 'service', 'It takes work.'],
  ['a run at a gate', () => `run?workflow=gated&run=${atGate}`, 'agree'],
  ['a run that failed', () => `run?workflow=a-workflow-with-a-name-that-is-long&run=${failed}`, 'no address'],
  [
    'its timeline',
    () => `run?workflow=a-workflow-with-a-name-that-is-long&run=${failed}&tab=timeline`,
    'two',
  ],
  [
    'its events',
    () => `run?workflow=a-workflow-with-a-name-that-is-long&run=${failed}&tab=events`,
    'run-failed',
  ],
  [
    'its state',
    () => `run?workflow=a-workflow-with-a-name-that-is-long&run=${failed}&tab=state`,
    'output.one',
  ],
] as const;

describe.each(LOOKS)('text of $text %, $width px wide', ({ text, width }) => {
  it.each(SCREENS)(
    '%s: no wider than the screen, nothing cut off, targets of 24 px, and the focus in view',
    async (_name, address, shown) => {
      const opened = await openConsole(browser, `${service.url}/console/${address()}`, {
        viewport: { width, height: 800 },
      });
      const { page } = opened;
      await page.getByText(shown).first().waitFor({ state: 'attached' });
      await enlarge(page, text);
      expect(await page.evaluate(FAULTS)).toEqual([]);
      expect(await opened.violations()).toEqual([]);
      for (let step = 0; step < 25; step++) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate(HIDDEN_FOCUS)).toBeNull();
      }
      expect(opened.faults).toEqual([]);
      await opened.close();
    },
  );
});
