import type { Browser, Locator, Page } from 'playwright-core';
import { openConsole, type ConsolePage, type Opening } from './console-page.js';

const NOBODY_READS_FASTER_MS = 150;
const MOST_OPTIONS = 20;

/** The editor of the console, and what a person does in it. */
export interface EditorPage extends ConsolePage {
  readonly field: Locator;
  readonly faultList: Locator;
  /** Puts another text in the place of what is there. */
  write(text: string): Promise<void>;
  /** Takes what is offered by Enter. */
  take(option: string): Promise<void>;
  /** The lines in view: of a short document, all of it. */
  text(): Promise<string>;
}

/** Opens the editor, and waits until it helps to write. */
export async function openEditor(
  browser: Browser,
  url: string,
  { address = 'new-workflow', ...opening }: Opening & { readonly address?: string } = {},
): Promise<EditorPage> {
  const opened = await openConsole(browser, `${url}/console/${address}`, opening);
  const { page } = opened;
  const field = fieldOf(page);
  await field.and(page.locator('[aria-autocomplete=list]')).waitFor({ state: 'attached' });
  return {
    ...opened,
    field,
    faultList: page.getByRole('region', { name: 'Faults' }),
    write: async (text) => {
      await field.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(text);
    },
    take: async (option) => {
      await page.getByRole('option').filter({ hasText: option }).first().waitFor();
      // Right after a list has opened, Enter still breaks the line: nobody has read the list so fast.
      await page.waitForTimeout(NOBODY_READS_FASTER_MS);
      for (let down = 0; down < MOST_OPTIONS; down++) {
        const [chosen = ''] = await page.getByRole('option', { selected: true }).allInnerTexts();
        if (chosen.startsWith(option)) break;
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
    },
    text: () => field.innerText(),
  };
}

export function fieldOf(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Document, as YAML' });
}
