import type { Browser } from 'playwright-core';
import { startService, type Service } from '../../../support/service.js';
import { startBrowser } from '../../support/console-page.js';
import { openEditor } from '../../support/editor-page.js';

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

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 320],
] as const)(
  '%s, %d px wide: axe-core finds nothing among faults, in the list of what can stand here, and in the search',
  async (colorScheme, width) => {
    const opened = await openEditor(browser, service.url, { colorScheme, viewport: { width, height: 800 } });
    const { page, field, faultList, write, text, faults, close } = opened;
    await write((await text()).replace('builtin.mock', 'builtin.mok'));
    await faultList.getByText('did you mean builtin.mock').waitFor();
    await field.focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+Space');
    await page.getByRole('option').first().waitFor();
    expect(await opened.violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: 'Find' }).waitFor();
    expect(await opened.violations()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(faults).toEqual([]);
    await close();
  },
);
