import type { Browser } from 'playwright-core';
import { startService, type Service } from '../../support/service.js';
import { openConsole, startBrowser } from '../support/console-page.js';

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

describe('the first five minutes', () => {
  it('lead from an empty service over the sample to a gate that was approved', async () => {
    const { page, faults, close } = await openConsole(browser, `${service.url}/console/`);
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.waitForURL(/\/console\/run\?workflow=sample-refund&run=/);

    await page.getByRole('link', { name: 'Approvals' }).click();
    const card = page.getByRole('article', { name: 'Pay 120 € back to Ada Lovelace?' });
    await card.getByText('The parcel arrived damaged.').waitFor();
    expect(await card.getByRole('listitem').allInnerTexts()).toEqual([
      'pay builtin.mock',
      'notify builtin.mock',
      'The run completes.',
      'The run fails.',
    ]);
    await card.getByText('closes by itself in 3 d and then counts as rejected').waitFor();

    await card.getByLabel('Your name').fill('Grace Hopper');
    await card.getByLabel('Comment').fill('Seen the photo.');
    await card.getByRole('button', { name: 'Approve' }).click();
    await card.getByText('Approved').waitFor();
    await card.getByText('Grace Hopper').waitFor();

    const { decision } = (await service.get('/gates?status=decided')).body.items[0];
    expect(decision).toMatchObject({ approved: true, responder: 'Grace Hopper', comment: 'Seen the photo.' });
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('row', { name: /completed/ }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it('what the service has against an input stands at its field', async () => {
    await service.register(
      JSON.stringify({
        apiVersion: 'flowgate/v1',
        kind: 'Workflow',
        metadata: { id: 'mail' },
        spec: {
          input: {
            type: 'object',
            properties: { to: { type: 'string', format: 'email' } },
            required: ['to'],
          },
          units: [{ id: 'a', uses: 'builtin.mock' }],
          flow: { type: 'sequential' },
        },
      }),
    );
    const opened = await openConsole(browser, `${service.url}/console/workflow?workflow=mail`, {
      expected: /400/,
    });
    const { page } = opened;
    await page.getByRole('button', { name: 'Start' }).click();
    const field = page.getByRole('dialog').getByLabel('to');
    await field.fill('nobody');
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByText(/email/).last().waitFor();
    expect((await service.get('/runs')).body.items).toEqual([]);
    expect(opened.faults).toEqual([]);
    await opened.close();
  });
});
