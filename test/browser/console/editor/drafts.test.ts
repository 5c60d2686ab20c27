import type { Browser, Page } from 'playwright-core';
import { startService, type Service } from '../../../support/service.js';
import { document, mock } from '../../../support/workflow-documents.js';
import { startBrowser } from '../../support/console-page.js';
import { fieldOf, openEditor } from '../../support/editor-page.js';

let browser: Browser;
let service: Service;
beforeAll(async () => {
  browser = await startBrowser();
  service = await startService();
  await service.register(document('kept', [mock('a')]).replaceAll(',"', ',\n "'));
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

const address = 'new-workflow?workflow=kept';

describe('a draft', () => {
  it('is there after a reload, shows what differs from what is registered, and can be discarded', async () => {
    const { page, write, text, faults, close } = await openEditor(browser, service.url, { address });
    const registered = await text();
    await write(registered.replace('a done', 'another'));
    await page.reload();
    await page.getByText('This is a draft of this browser').waitFor();
    expect(await text()).toContain('another');
    await page.getByRole('link', { name: 'Changes' }).click();
    const changes = page.getByLabel('What differs');
    await changes.getByText(/^\+.*another/).waitFor();
    await changes.getByText(/^-.*a done/).waitFor();
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await page.getByText('The text is what is registered.').waitFor();
    await page.reload();
    await fieldOf(page).waitFor();
    expect(await page.getByText('This is a draft of this browser').count()).toBe(0);
    expect(await text()).toBe(registered);
    expect(faults).toEqual([]);
    await close();
  });

  it('says so where the browser keeps nothing, and the rest works', async () => {
    const { page, write, text, faultList, faults, close } = await openEditor(browser, service.url, {
      address,
    });
    await page.evaluate(
      "Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } })",
    );
    await write((await text()).replace('a done', 'another'));
    await page.getByText('This browser has no room for the draft').waitFor();
    await faultList.getByText('It would be registered.').waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it('is a draft also while the service is gone', async () => {
    const opened = await openEditor(browser, service.url, {
      address: 'new-workflow',
      expected: /Failed to load resource|ERR_/,
    });
    const { page, write, text, faultList, close } = opened;
    await page.route('**/workflows/validate', (route) => route.abort());
    await write((await text()).replace('hello', 'other'));
    await faultList.getByText('The service has not checked').waitFor();
    await write((await text()).replace('kind: Workflow', 'kind: Wrkflow'));
    await faultList.getByText('kind must be').waitFor();
    expect(opened.faults).toEqual([]);
    await close();
  });

  it('outlives a registration during which it was written further', async () => {
    await service.register(document('moved', [mock('a')]));
    const opened = await openEditor(browser, service.url, { address: 'new-workflow?workflow=moved' });
    const { page, write, text, faults, close } = opened;
    let register = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => (register = resolve));
    await page.route('**/workflows/from-yaml', async (route) => {
      await isHeld;
      await route.continue();
    });
    const registered = await text();
    await write(registered.replace('a done', 'sent'));
    const [request] = await Promise.all([
      page.waitForRequest('**/workflows/from-yaml'),
      page.getByRole('button', { name: 'Register' }).click(),
    ]);
    expect(request.postData()).toContain('sent');
    await write(registered.replace('a done', 'written since'));
    register();
    await page.waitForURL(/\/console\/workflow\?/);
    await page.goto(`${service.url}/console/new-workflow?workflow=moved`);
    await page.getByText('This is a draft of this browser').waitFor();
    expect(await text()).toContain('written since');
    expect(faults).toEqual([]);
    await close();
  });

  it('stays on the screen when the address names another version', async () => {
    await service.register(document('versions', [mock('a')]));
    const { definitionHash } = (await service.get('/workflows/versions')).body;
    await service.register(document('versions', [mock('a'), mock('b')]));
    const opened = await openEditor(browser, service.url, { address: 'new-workflow?workflow=versions' });
    const { page, write, text, faults, close } = opened;
    await write((await text()).replace('a done', 'typed'));
    await page.evaluate(
      `history.pushState(null, '', '?workflow=versions&hash=${String(definitionHash)}'); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await page.getByText('It began from another version').waitFor();
    expect(await text()).toContain('typed');
    expect(faults).toEqual([]);
    await close();
  });

  it('of two tabs: the second one is asked which of both is kept, and neither is lost before', async () => {
    await service.register(document('shared', [mock('a')]));
    const url = `${service.url}/console/new-workflow?workflow=shared`;
    const one = await openEditor(browser, service.url, { address: 'new-workflow?workflow=shared' });
    const other = await one.page.context().newPage();
    await other.goto(url);
    const registered = await one.text();
    const kept = async (page: Page, text: string): Promise<void> => {
      while (!(await page.evaluate<string>('JSON.stringify(localStorage)')).includes(text))
        await page.waitForTimeout(50);
    };
    const writeInOther = async (text: string): Promise<void> => {
      await fieldOf(other).click();
      await other.keyboard.press('Control+a');
      await other.keyboard.insertText(registered.replace('a done', text));
    };
    const asking = 'Another tab of this browser keeps a newer draft';
    const asked = other.getByText(asking);

    await one.write(registered.replace('a done', 'of the first'));
    await kept(one.page, 'of the first');
    await writeInOther('of the second');
    await asked.waitFor();
    const [leaving] = await Promise.all([
      other.waitForEvent('dialog'),
      other.evaluate('void setTimeout(() => location.reload())'),
    ]);
    expect(leaving.type()).toBe('beforeunload');
    await leaving.dismiss();
    expect(await fieldOf(other).innerText()).toContain('of the second');
    await kept(other, 'of the first');
    await other.getByRole('button', { name: 'Keep this text' }).click();
    await kept(other, 'of the second');
    await asked.waitFor({ state: 'detached' });

    await one.write(registered.replace('a done', 'of the first again'));
    await one.page.getByText(asking).waitFor();
    expect(await one.violations()).toEqual([]);
    await one.page.getByRole('button', { name: 'Take that draft' }).click();
    await one.page.getByText(asking).waitFor({ state: 'detached' });
    expect(await one.text()).toContain('of the second');
    await writeInOther('of the second again');
    await kept(other, 'of the second again');
    expect(await asked.count()).toBe(0);
    expect(one.faults).toEqual([]);
    await one.close();
  });
});
