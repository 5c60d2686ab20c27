import type { Browser } from 'playwright-core';
import { startService, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';
import { openConsole, startBrowser } from '../support/console-page.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let browser: Browser;
let service: Service;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  service = await startService();
  const asked = { title: 'Pay?', payload: { to: 'Ada', lines: [{ sum: 7 }] } };
  await service.register(document('gated', [mock('a'), gate('agree', asked), mock('pay')]));
});
afterEach(() => service.close());

const decisions = async () =>
  ((await service.get('/gates?status=decided')).body.items as readonly { decision: object }[]).map(
    ({ decision }) => decision,
  );

it('an approver opens a link on a phone, sees what follows, and decides by one touch', async () => {
  const { runId } = await service.start('gated');
  const [{ gateId }] = (await service.get('/gates')).body.items;
  const link = `${service.url}/console/approvals?workflow=gated&run=${runId}&gate=${gateId}`;
  const { page, faults, close } = await openConsole(browser, link, PHONE);
  await page.getByText('pay builtin.mock').waitFor();
  await page.getByLabel('Your name').fill('Grace');

  // Both are where a thumb is, large enough, without any scrolling.
  await page.evaluate('window.scrollTo(0, 0)');
  for (const name of ['Approve', 'Reject']) {
    const box = await page.getByRole('button', { name }).boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(48);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
  }
  await page.getByRole('button', { name: 'Approve' }).tap();
  await page.getByText('by Grace').waitFor();
  expect(await decisions()).toEqual([expect.objectContaining({ approved: true, responder: 'Grace' })]);
  expect(faults).toEqual([]);
  await close();
});

it('nobody decides without a name, where nobody is asked who they are', async () => {
  await service.start('gated');
  const { page, close } = await openConsole(browser, `${service.url}/console/approvals`);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Type your name first').waitFor();
  expect(
    await page.getByLabel('Your name').evaluate((field) => field === field.ownerDocument.activeElement),
  ).toBe(true);
  expect(await decisions()).toEqual([]);
  await close();
});

it('of two tabs at one gate the second learns who decided, and cannot decide again', async () => {
  await service.start('gated');
  const [one, other] = await Promise.all([
    openConsole(browser, `${service.url}/console/approvals`),
    openConsole(browser, `${service.url}/console/approvals`),
  ]);
  await other.page.getByRole('button', { name: 'Approve' }).waitFor();
  await one.page.getByLabel('Your name').fill('Grace');
  await one.page.getByRole('button', { name: 'Reject' }).click();
  await other.page.getByText('Rejected').waitFor();
  await other.page.getByText('Grace').waitFor();
  expect(await other.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  expect(await decisions()).toHaveLength(1);
  expect([...one.faults, ...other.faults]).toEqual([]);
  await Promise.all([one.close(), other.close()]);
});

describe('with more open gates than a list has', () => {
  let oldest: { readonly runId: string };
  let gateId: number;
  beforeEach(async () => {
    oldest = await service.start('gated');
    gateId = (await service.get('/gates')).body.items[0].gateId;
    for (let count = 0; count < 3; count++)
      await service.post('/workflows/gated/runs/batch', { runs: Array.from({ length: 70 }, () => ({})) });
    while ((await service.get('/gates?limit=1')).body.open < 211)
      await new Promise((resolve) => setTimeout(resolve, 50));
  });

  it('an older one is decided by its link, and a second tab there learns of it', async () => {
    const link = `${service.url}/console/approvals?workflow=gated&run=${oldest.runId}&gate=${gateId}`;
    const [one, other] = await Promise.all([openConsole(browser, link), openConsole(browser, link)]);
    await other.page.getByRole('button', { name: 'Approve' }).waitFor();
    await one.page.getByLabel('Your name').fill('Grace');
    await one.page.getByRole('button', { name: 'Approve' }).click();
    await one.page.getByText('by Grace').waitFor();
    await other.page.getByText('by Grace').waitFor();
    expect(await decisions()).toEqual([expect.objectContaining({ approved: true, responder: 'Grace' })]);
    expect([...one.faults, ...other.faults]).toEqual([]);
    await Promise.all([one.close(), other.close()]);
  });

  it('the older ones are among the cards on demand, and the bar counts all of them', async () => {
    const { page, faults, close } = await openConsole(browser, `${service.url}/console/approvals`);
    await page.getByRole('article').nth(199).waitFor();
    await page.getByRole('button', { name: 'Older gates' }).click();
    await page.getByRole('article').nth(210).waitFor();
    await page.getByRole('link', { name: 'Approvals 211' }).waitFor();
    expect(await page.getByRole('button', { name: 'Older gates' }).count()).toBe(0);

    const card = page.getByRole('article').last();
    await card.getByText(oldest.runId.slice(-8)).waitFor();
    await card.getByLabel('Your name').fill('Grace');
    await card.getByRole('button', { name: 'Reject' }).click();
    await card.getByText('Rejected').waitFor();
    expect(await page.getByRole('article').count()).toBe(211);
    expect(faults).toEqual([]);
    await close();
  });

  it('one of the older cards that somebody else decides says so', async () => {
    const { page, faults, close } = await openConsole(browser, `${service.url}/console/approvals`);
    await page.getByRole('button', { name: 'Older gates' }).click();
    await page.getByRole('article').nth(210).waitFor();
    await service.post(`/workflows/gated/runs/${oldest.runId}/hitl`, { approved: true, responder: 'Ada' });
    // As when the tab is seen again: it is looked at every few seconds, too.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('article').last().getByText('by Ada').waitFor();
    expect(await page.getByRole('article').count()).toBe(211);
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(210);
    expect(faults).toEqual([]);
    await close();
  });
});

it('a link to a gate that went with its run says so', async () => {
  const { runId } = await service.start('gated');
  const [{ gateId }] = (await service.get('/gates')).body.items;
  await service.post(`/workflows/gated/runs/${runId}/cancel`);
  const link = `${service.url}/console/approvals?workflow=gated&run=${runId}&gate=`;
  const { page, close } = await openConsole(browser, `${link}${gateId}`);
  await page.getByText('the run went another way').waitFor();
  await page.goto(`${link}999`);
  await page.getByText('There is no such gate').waitFor();
  await page.goto(`${link}x`);
  await page.getByText('There is no such gate').waitFor();
  await close();
});

it('how a gate was closed is asked again, where the service did not say', async () => {
  const { runId } = await service.start('gated');
  const { page, close } = await openConsole(browser, `${service.url}/console/approvals`, {
    expected: /Failed to load resource/,
  });
  await page.getByRole('article').waitFor();
  await page.route(/\/(?:runs|gates)\?/, (route) => route.abort());
  await service.post(`/workflows/gated/runs/${runId}/hitl`, { approved: false, responder: 'Grace' });
  await page.getByText('could not be read').waitFor();
  expect(await page.getByText('went another way').count()).toBe(0);
  await page.unroute(/\/(?:runs|gates)\?/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('by Grace').waitFor();
  await close();
});

it('a gate that opens while somebody reads another waits until it is asked for', async () => {
  await service.start('gated');
  const { page, faults, close } = await openConsole(browser, `${service.url}/console/approvals`);
  await page.getByRole('article').waitFor();
  await service.start('gated');
  await page.getByRole('button', { name: '1 new' }).waitFor();
  expect(await page.getByRole('article').count()).toBe(1);
  await page.getByRole('button', { name: '1 new' }).click();
  await page.getByRole('article').nth(1).waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('the payload is a table, and as JSON on demand', async () => {
  await service.start('gated');
  const { page, close } = await openConsole(browser, `${service.url}/console/approvals`);
  await page.getByRole('row', { name: 'to Ada' }).waitFor();
  await page.getByRole('button', { name: 'As JSON' }).click();
  await page.getByText('"to": "Ada"').waitFor();
  await close();
});

it('texts that are longer than a list may be say so, and are whole on demand, and by a link', async () => {
  const [title, description] = [`Pay ${'much '.repeat(50)}now`, `Since ${'much '.repeat(300)}is owed`];
  await service.register(document('long', [gate('agree', { title, description })]));
  const { runId } = await service.start('long');
  const [{ gateId, title: listed }] = (await service.get('/gates')).body.items;
  const { page, faults, close } = await openConsole(browser, `${service.url}/console/approvals`);
  await page.getByRole('heading', { name: `${listed}…`, exact: true }).waitFor();
  await page.getByText(/^Since much .*…$/).waitFor();
  await page.getByRole('button', { name: 'Show the whole text' }).click();
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
  await page.getByText(/much is owed$/).waitFor();
  expect(await page.getByRole('button', { name: 'Show the whole text' }).count()).toBe(0);
  await page.goto(`${service.url}/console/approvals?workflow=long&run=${runId}&gate=${gateId}`);
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
  await page.getByText(/much is owed$/).waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('a payload that is too large for lists is shown on demand', async () => {
  await service.register(
    document('large', [gate('agree', { payload: { text: `${'x'.repeat(70_000)} end` } })]),
  );
  await service.start('large');
  const { page, faults, close } = await openConsole(browser, `${service.url}/console/approvals`);
  await page.getByRole('button', { name: 'Show what it is about' }).click();
  await page.getByRole('row', { name: /x end$/ }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('texts of a run are text, whatever they hold', async () => {
  const hostile = '<img src=x onerror=alert(1)> \u202Eyap';
  await service.register(
    document('a/b % "c"', [
      gate('agree', { title: hostile, description: hostile, payload: { [hostile]: hostile } }),
    ]),
  );
  await service.start('a/b % "c"');
  const { page, faults, close } = await openConsole(browser, `${service.url}/console/approvals`);
  const card = page.getByRole('article');
  await card.waitFor();
  expect((await card.innerText()).match(/<img src=x onerror=alert\(1\)> ?U\+202Eyap/g)).toHaveLength(4);
  expect(await page.locator('img').count()).toBe(0);
  await card.getByRole('link', { name: /a\/b % "c"/ }).click();
  await page.waitForURL(/run\?workflow=a%2Fb\+%25\+%22c%22&run=/);
  expect(faults).toEqual([]);
  await close();
});
