import type { Browser } from 'playwright-core';
import { startService, type Service } from '../../../support/service.js';
import { startBrowser } from '../../support/console-page.js';
import { openEditor } from '../../support/editor-page.js';

const MIB = 1_024 * 1_024;

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

/** A workflow of almost 2 MiB, most of it in the settings of its units. */
function largeText(): string {
  const rows = Array.from(
    { length: 1_000 },
    (_, index) =>
      `    - id: u${index}\n      uses: builtin.mock\n      config:\n        response: '${'x'.repeat(1_900)}'\n`,
  );
  const order = rows.map((_row, index) => `u${index}`).join(', ');
  return `apiVersion: flowgate/v1\nkind: Workflow\nmetadata:\n  id: large\nspec:\n  units:\n${rows.join('')}  flow: { type: sequential, order: [${order}] }\n`;
}

it('2 MiB can be typed into: only what is in view is there as elements, and faults still come', async () => {
  const text = largeText();
  expect(text.length).toBeGreaterThan(1.85 * MIB);
  const { page, field, faultList, faults, close } = await openEditor(browser, service.url);
  await page.locator('input[type=file]').setInputFiles({
    name: 'large.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(text),
  });
  await faultList.getByText('It would be registered.').waitFor();
  await field.click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.type(' # a comment of somebody who types');
  expect(await field.innerText()).toContain('# a comment of somebody who types');
  expect(
    await page.evaluate('document.querySelector(".code-editor").shadowRoot.querySelectorAll("*").length'),
  ).toBeLessThan(1_500);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('x: 1');
  await faultList.getByText('unknown field `x`').waitFor();
  expect(faults).toEqual([]);
  await close();
});
