import type { Browser, Page } from 'playwright-core';
import { startService, type Service } from '../support/service.js';
import { openConsole, startBrowser, type ConsolePage, type Opening } from './support/console-page.js';
import { startPrefixProxy } from './support/prefix-proxy.js';

const SETTING = 'FLOWGATE_MAX_BODY_BYTES';

let service: Service;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
});
afterAll(() => Promise.all([browser.close(), service.close()]));

/** What a page or its policy complains about, and requests to anybody but the service, are its faults. */
async function withGuide(
  during: (opened: ConsolePage) => Promise<void>,
  { at = '/', ...opening }: Opening & { readonly at?: string } = {},
): Promise<void> {
  const opened = await openConsole(browser, `${service.url}/docs/guide${at}`, opening);
  await during(opened);
  expect(opened.faults).toEqual([]);
  await opened.close();
}

const backgroundOf = (page: Page): Promise<string> =>
  page.evaluate('getComputedStyle(document.body).backgroundColor');
const nameOf = (page: Page): string => new URL(page.url()).pathname.replace(/.*\//, '');

async function searchFor(page: Page, words: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.insertText(words);
  await page.locator('.results li').first().waitFor();
}

describe('the guide', () => {
  it('is searched by keys alone: what is found leads to its place, and the next page is searched again', () =>
    withGuide(async ({ page }) => {
      await searchFor(page, SETTING);
      expect(await page.locator('.results mark').first().innerText()).not.toBe('');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\.html#/);
      const place = new URL(page.url()).hash.slice(1);
      expect(await page.locator(`[id="${place}"]`).isVisible()).toBe(true);
      expect(await page.locator('article').innerText()).toContain(SETTING);
      await searchFor(page, 'gate');
      await page.keyboard.press('Escape');
      expect(await page.locator('.results').isHidden()).toBe(true);
    }));

  it('says so where nothing is found', () =>
    withGuide(async ({ page }) => {
      await page.getByRole('searchbox').fill('xyzzyplugh');
      await page.getByText('Nothing is found for “xyzzyplugh”').waitFor();
    }));

  it('leads from page to page: by links of the text, by the list, and to the next one', () =>
    withGuide(async ({ page }) => {
      await page.locator('article').getByRole('link', { name: 'First steps' }).click();
      await page.waitForURL(/first-steps\.html/);
      await page
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link', { name: 'Gates' })
        .first()
        .click();
      await page.waitForURL(/gates\.html/);
      const { length } = await page.locator('[aria-current=page]').all();
      expect(length).toBe(1);
      await page.locator('a[rel=next]').click();
      await page.waitForURL((url) => !url.pathname.endsWith('gates.html'));
    }));

  it('shows its pictures', () =>
    withGuide(
      async ({ page }) => {
        await page.locator('article img').first().scrollIntoViewIfNeeded();
        await page.evaluate('document.querySelector("article img").decode()');
      },
      { at: '/benchmarks.html' },
    ));
});

describe('its colours', () => {
  it('are those of the system', async () => {
    const shown: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const)
      await withGuide(async ({ page }) => void shown.push(await backgroundOf(page)), { colorScheme });
    expect(shown).toEqual(['rgb(255, 255, 255)', 'rgb(20, 23, 28)']);
  });

  it('are those that somebody chose, also on the next page', () =>
    withGuide(async ({ page }) => {
      await page.getByRole('button', { name: 'Dark' }).click();
      expect(await backgroundOf(page)).toBe('rgb(20, 23, 28)');
      await page.locator('a[rel=next]').click();
      await page.waitForURL(/\.html/);
      expect(await backgroundOf(page)).toBe('rgb(20, 23, 28)');
      await page.getByRole('button', { name: 'Light' }).click();
      expect(await backgroundOf(page)).toBe('rgb(255, 255, 255)');
    }));

  it.each(['light', 'dark'] as const)(
    'can be told apart by everybody: axe-core finds nothing, %s',
    (colorScheme) =>
      withGuide(
        async ({ page, violations }) => {
          expect(await violations()).toEqual([]);
          await searchFor(page, 'gate');
          expect(await violations()).toEqual([]);
        },
        { at: '/concepts-gates.html', colorScheme },
      ),
  );
});

it('fits on a phone, with the list of pages one link away', () =>
  withGuide(
    async ({ page }) => {
      const { scroll, client } = await page.evaluate<{ scroll: number; client: number }>(
        '({ scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth })',
      );
      expect(scroll).toBeLessThanOrEqual(client);
      await page.getByRole('link', { name: 'Pages', exact: true }).click();
      expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(true);
    },
    { at: '/operate.html', viewport: { width: 360, height: 740 } },
  ));

it('works behind a proxy that takes a prefix away, begun without the slash', async () => {
  const proxy = await startPrefixProxy(service, '/tools/flow');
  const opened = await openConsole(browser, `${proxy.url}/docs/guide`);
  const { page } = opened;
  expect(page.url()).toBe(`${proxy.url}/docs/guide/`);
  await searchFor(page, SETTING);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\.html#/);
  expect(page.url().startsWith(`${proxy.url}/docs/guide/`)).toBe(true);
  await page.getByRole('link', { name: 'Flowgate' }).first().click();
  await page.waitForURL(`${proxy.url}/docs/guide/`);
  expect(opened.faults).toEqual([]);
  await opened.close();
  proxy.close();
});

it('is read without scripts as well', () =>
  withGuide(
    async ({ page }) => {
      expect(await page.locator('article h1').innerText()).toBe('Flowgate');
      expect(await page.locator('.search').isHidden()).toBe(true);
      await page.locator('a[rel=next]').click();
      expect(nameOf(page)).toBe('first-steps.html');
    },
    { javaScriptEnabled: false },
  ));
