import { signal } from '@preact/signals';

const TRY_FOR_MS = 60_000;
const PAUSE_MS = 2_000;

/** Whether a part of this build cannot be had: another build answers at this address. */
export const isUpgrading = signal(false);

/**
 * A part of the console that is loaded once it is needed. Where replicas of two builds stand behind one address, some of them do not
 * have it: it is asked for during a minute, and then the page of today is loaded in the place of this one. Drafts are in the tab.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  const until = Date.now() + TRY_FOR_MS;
  for (;;) {
    try {
      const part = await load();
      isUpgrading.value = false;
      return part;
    } catch (error) {
      if (!isMissing(error)) throw error;
      isUpgrading.value = true;
      if (Date.now() >= until) window.location.reload();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** Of a script that is not there a browser says nothing more. */
function isMissing(error: unknown): boolean {
  return error instanceof TypeError && /import|module|fetch/i.test(error.message);
}
