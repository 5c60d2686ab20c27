import type { Browser } from 'playwright-core';
import { eventually } from '../../../support/eventually.js';
import { startService, type Service } from '../../../support/service.js';
import { startUnitServer } from '../../../support/unit-server.js';
import { bound, document, remote } from '../../../support/workflow-documents.js';
import { startBrowser } from '../../support/console-page.js';
import { openEditor } from '../../support/editor-page.js';

let browser: Browser;
let service: Service;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

describe('writing a workflow', () => {
  it('a mistyped uses is a fault at its line, mended by one key, registered and started by another', async () => {
    const { page, field, faultList, write, text, faults, close } = await openEditor(browser, service.url);
    await write((await text()).replace('builtin.mock', 'builtin.mok'));
    await faultList.getByText('did you mean builtin.mock').waitFor();
    await faultList.getByRole('button', { name: 'Write builtin.mock' }).waitFor();
    await faultList.getByRole('button', { name: /^Line 13/ }).click();
    expect(await page.evaluate('getSelection().toString()')).toBe('builtin.mok');

    await page.keyboard.press('Control+.');
    await faultList.getByText('It would be registered.').waitFor();
    expect(await text()).toContain('uses: builtin.mock');

    await field.focus();
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Start hello' });
    await dialog.getByLabel('name').fill('Ada');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL(/\/console\/run\?workflow=hello&run=/);
    const { items } = (await service.get('/runs')).body;
    const ended = await eventually(
      () => service.run(items[0]),
      ({ status }) => status === 'completed',
    );
    expect(ended.result?.state).toMatchObject({ 'output.greet': 'Hello, Ada!' });
    expect(faults).toEqual([]);
    await close();
  });

  it('a mistyped key is a fault without the service, and Register leads to the workflow', async () => {
    const { page, field, faultList, write, text, faults, close } = await openEditor(browser, service.url);
    await page.route('**/workflows/validate', (route) =>
      route.fulfill({ status: 200, json: { ok: true, details: [], warnings: [] } }),
    );
    await write((await text()).replace('uses:', 'use:'));
    await faultList.getByRole('button', { name: 'Write uses' }).click();
    await faultList.getByText('It would be registered.').waitFor();
    await field.focus();
    await page.keyboard.press('Control+s');
    await page.waitForURL(/\/console\/workflow\?workflow=hello/);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.waitForURL(/\/console\/new-workflow\?workflow=hello/);
    expect((await service.get('/workflows')).body.workflows).toEqual(['hello']);
    expect(faults).toEqual([]);
    await close();
  });

  it('what is started is what is on the screen: bindings that were typed since, too, and not those that are no JSON', async () => {
    const unit = await startUnitServer({ body: { response: 'paid' } });
    await service.register(document('bound', [remote('pay')]), bound('pay', 'http://127.0.0.1:9/gone'));
    const { page, field, faults, close } = await openEditor(browser, service.url, {
      address: 'new-workflow?workflow=bound',
    });
    const dialog = page.getByRole('dialog', { name: 'Start bound' });
    await page.getByText(/^Bindings/).click();
    const dropped = page.getByText('What is registered calls acme.pay at http://127.0.0.1:9.');
    await dropped.waitFor();
    const bindings = page.getByLabel('As JSON');
    await bindings.fill('{');
    expect(await dropped.count()).toBe(0);
    await field.focus();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Mend the bindings below the text first').waitFor();
    expect(await dialog.isVisible()).toBe(false);

    await bindings.fill(JSON.stringify(bound('pay', unit.url)));
    await field.focus();
    await page.keyboard.press('Control+Enter');
    await dialog.getByRole('button', { name: 'Start' }).waitFor();
    expect((await service.get('/workflows/bound')).body.bindings).toEqual([
      expect.objectContaining({ uses: 'acme.pay', origin: unit.url }),
    ]);
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL(/\/console\/run\?workflow=bound&run=/);
    await unit.received(1);
    expect(faults).toEqual([]);
    await close();
    await unit.close();
  });

  it('by the keyboard alone: keys, values and names are offered, taken by Enter, and Escape leads out of the list and the text', async () => {
    const { page, field, take, write, text, faults, close } = await openEditor(browser, service.url);
    await write(`${(await text()).trimEnd()}\n`);
    await page.keyboard.type('  pol');
    await take('policy');
    await page.keyboard.type('ret');
    await take('retry');
    await page.keyboard.type('back');
    await take('backoff');
    // What can stand behind the key is offered by itself.
    await take('fixed');
    expect(await text()).toContain('  policy:\n    retry:\n      backoff: fixed');

    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('onCancel: [gr');
    const greet = page.getByRole('option').filter({ hasText: 'greet' });
    await greet.waitFor();
    await page.keyboard.press('Escape');
    await greet.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await field.evaluate((element) => element === element.getRootNode().activeElement)).toBe(false);
    expect(faults).toEqual([]);
    await close();
  });

  it('in an expression, variables and what is in them are offered', async () => {
    const { page, take, write, text, faults, close } = await openEditor(browser, service.url);
    await write((await text()).replace('{ response:', '{ delayMs: 1, response:'));
    await page.keyboard.press('Control+Home');
    for (let line = 1; line < 14; line++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    for (let back = 0; back < 3; back++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('${{ inp');
    await take('input');
    await page.keyboard.type('.');
    await take('name');
    expect(await text()).toContain('${{ input.name');
    expect(faults).toEqual([]);
    await close();
  });

  it('typing over what is selected is no violation of the policy', async () => {
    const { page, text, field, faults, close } = await openEditor(browser, service.url);
    await field.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('kind: W');
    expect((await text()).trim()).toBe('kind: W');
    await page.keyboard.press('Control+z');
    expect(await text()).toContain('apiVersion');
    expect(faults).toEqual([]);
    await close();
  });
});

describe('the diagram', () => {
  it('follows the text, keeps the last text without faults, and leads to the lines of a unit', async () => {
    const { page, faultList, write, text, faults, close } = await openEditor(browser, service.url);
    const unit = (name: string) =>
      page.getByRole('group', { name: 'The flow' }).getByRole('button', { name });
    await unit('greet').waitFor();
    const good = (await text())
      .replace('order: [greet]', 'order: [greet, part]')
      .replace('  flow:', '    - { id: part, uses: builtin.mock }\n  flow:');
    await write(good);
    await unit('part').waitFor();
    await page.getByText('Of the text as it is.').waitFor();
    await write(good.replace('id: part', 'id: part, idd: x'));
    await faultList.getByText('1 fault').waitFor();
    await page.getByText('Of the last text without faults.').waitFor();
    await unit('part').click();
    expect(await page.evaluate('getSelection().toString()')).toMatch(/^\{/);
    expect(faults).toEqual([]);
    await close();
  });

  it('is a tab of its own where there is no room next to the text', async () => {
    const { page, field, faults, close } = await openEditor(browser, service.url, {
      viewport: { width: 390, height: 844 },
    });
    await page.getByRole('link', { name: 'Diagram' }).click();
    await page.getByRole('list').getByRole('button', { name: /greet/ }).waitFor();
    expect(await field.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Text' }).click();
    await field.waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
