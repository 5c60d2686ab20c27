// The one script whose name stays. It loads the rest, whose names change with their content: while replicas of two builds stand
// behind one address, the other one may be asked for a file that it does not have.
const TRY_FOR_MS = 60_000;
const PAUSE_MS = 1_000;
/** In one page, before another one is asked for: what has it may answer next. */
const TRIES = 3;
const UPGRADED = 'This service is being upgraded. The console goes on by itself.';
const RELOADED = 'flowgate.reloaded';

async function boot(startedAt: number): Promise<void> {
  // Asked for at once, not after the modules: on a bad line that is a way there and back.
  const settings = fetch('settings.json', { cache: 'no-store' });
  settings.catch(() => undefined);
  try {
    const { start } = await loaded();
    await start(document.getElementById('console') ?? document.body, settings);
    forget();
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (Date.now() - startedAt > TRY_FOR_MS) {
      // Whoever loads the page by hand has a minute again.
      forget();
      return say('The console cannot be loaded. Reload the page to try again.');
    }
    say(UPGRADED);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    // The page of another moment may name what is there; what was loaded is kept, so that each try has less to ask for.
    remember(startedAt);
    location.reload();
  }
}

async function loaded(): Promise<typeof import('./app/app.js')> {
  for (let tries = 1; ; tries++) {
    try {
      await styled();
      return await import('./app/app.js');
    } catch (error) {
      if (tries === TRIES || !isMissing(error)) throw error;
      say(UPGRADED);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** Scripts wait for style sheets, so it is there, or it is missing (an empty one, or none); then it is asked for once more. */
function styled(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]');
  if (link === null || (link.sheet?.cssRules.length ?? 0) > 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const again = link.cloneNode() as HTMLLinkElement;
    again.addEventListener('load', () => resolve());
    again.addEventListener('error', () => reject(new TypeError('The style sheet could not be fetched')));
    link.replaceWith(again);
  });
}

/** Of a file that is not there a browser says nothing more. */
function isMissing(error: unknown): boolean {
  return error instanceof TypeError && /import|module|fetch/i.test(error.message);
}

function say(sentence: string): void {
  const line = document.querySelector('.boot');
  if (line !== null) line.textContent = sentence;
}

/** When the tries began, over the reloads of one tab. */
function begunAt(): number {
  try {
    return Number(sessionStorage.getItem(RELOADED) ?? Date.now());
  } catch {
    return Date.now();
  }
}

function remember(startedAt: number): void {
  try {
    sessionStorage.setItem(RELOADED, String(startedAt));
  } catch {
    // Without storage every page counts for itself.
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(RELOADED);
  } catch {
    // There is none.
  }
}

void boot(begunAt());
