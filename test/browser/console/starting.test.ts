import type { Browser, Locator } from 'playwright-core';
import { startService, type Service } from '../../support/service.js';
import { document, mock } from '../../support/workflow-documents.js';
import { openConsole, startBrowser, type ConsolePage } from '../support/console-page.js';

const INPUT = {
  type: 'object',
  required: ['amount'],
  properties: { amount: { type: 'number' }, note: { type: 'string' }, kind: { enum: ['a', { deep: 1 }] } },
};

let browser: Browser;
let service: Service;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  service = await startService();
  await service.register(document('pay', [mock('a')], { input: INPUT }));
});
afterEach(() => service.close());

interface StartPage extends ConsolePage {
  readonly dialog: Locator;
  readonly json: Locator;
  press(button: 'As JSON' | 'As a form' | 'Start'): Promise<void>;
  /** Of the run that has begun. */
  givenInput(): Promise<unknown>;
}

async function openDialog(): Promise<StartPage> {
  const opened = await openConsole(browser, `${service.url}/console/workflow?workflow=pay`);
  const { page } = opened;
  await page.getByRole('button', { name: 'Start' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start pay' });
  return {
    ...opened,
    dialog,
    json: dialog.getByLabel('Input, as JSON'),
    press: (name) => dialog.getByRole('button', { name, exact: true }).click(),
    givenInput: async () => {
      await page.waitForURL(/\/console\/run\?workflow=pay&run=/);
      const runId = new URL(page.url()).searchParams.get('run');
      return (await service.get(`/workflows/pay/runs/${runId}/events/1?view=log`)).body.data.input;
    },
  };
}

describe('an input, as JSON and as a form', () => {
  it('what was written as JSON stands in the form, and what was changed there in the JSON', async () => {
    const { dialog, json, press, givenInput, faults, close } = await openDialog();
    await press('As JSON');
    const written = '{ "note": "two\\nlines", "amount": 3, "kind": {"deep": 1} }';
    await json.fill(written);
    await press('As a form');
    expect(await dialog.getByLabel('note').inputValue()).toBe('two\nlines');
    expect(await dialog.getByLabel('kind').inputValue()).toBe('{"deep":1}');
    await press('As JSON');
    expect(await json.inputValue()).toBe(written);
    await press('As a form');
    await dialog.getByLabel('amount').fill('4');
    await dialog.getByLabel('kind').selectOption('a');
    await press('As JSON');
    const given = { amount: 4, note: 'two\nlines', kind: 'a' };
    expect(JSON.parse(await json.inputValue())).toEqual(given);
    await press('Start');
    expect(await givenInput()).toEqual(given);
    expect(faults).toEqual([]);
    await close();
  });

  it('what the form has no field for stays as JSON, which says why', async () => {
    const { dialog, json, press, givenInput, faults, close } = await openDialog();
    await press('As JSON');
    await json.fill('{"amount": 3, "more": [1]}');
    await press('As a form');
    await dialog.getByText(/^The form has no field for more/).waitFor();
    expect(await json.inputValue()).toBe('{"amount": 3, "more": [1]}');
    await press('Start');
    expect(await givenInput()).toEqual({ amount: 3, more: [1] });
    expect(faults).toEqual([]);
    await close();
  });

  it('what is no value of its field stays in the form, where the field says why', async () => {
    const { dialog, press, faults, close } = await openDialog();
    await dialog.getByLabel('amount').fill('about 3');
    await press('As JSON');
    await dialog.getByText('amount must be a number').waitFor();
    expect(await dialog.getByLabel('amount').inputValue()).toBe('about 3');
    expect(faults).toEqual([]);
    await close();
  });
});

describe('a text in the form', () => {
  it('keeps its line breaks, and Enter starts the run as long as it has none', async () => {
    const { page, dialog, givenInput, faults, close } = await openDialog();
    await dialog.getByLabel('amount').fill('3');
    const note = dialog.getByLabel('note');
    await note.focus();
    await page.keyboard.insertText('one\ntwo');
    await page.keyboard.press('Enter');
    expect(await note.inputValue()).toBe('one\ntwo\n');
    await note.fill('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.insertText('two');
    expect(await note.inputValue()).toBe('one\ntwo');
    await note.fill('one');
    await page.keyboard.press('Enter');
    expect(await givenInput()).toEqual({ amount: 3, note: 'one' });
    expect(faults).toEqual([]);
    await close();
  });
});
