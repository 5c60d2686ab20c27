// The one script whose name stays. It loads the rest, whose names change with their content: while replicas of two builds stand
// behind one address, the other one may be asked for a file that it does not have.
const TRY_FOR_MS = 60_000;
const PAUSE_MS = 2_000;
const RELOADED = 'flowgate.reloaded';

async function boot(startedAt: number): Promise<void> {
  // Asked for at once, not after the modules: on a bad line that is a way there and back.
  const settings = fetch('settings.json', { cache: 'no-store' });
  settings.catch(() => undefined);
  try {
    const { start } = await import('./app/app.js');
    await start(document.getElementById('console') ?? document.body, settings);
    forget();
  } catch (error) {
    if (!isMissing(error)) throw error;
    say('This service is being upgraded. The console goes on by itself.');
    if (Date.now() - startedAt > TRY_FOR_MS)
      return say('The console cannot be loaded. Reload the page to try again.');
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    // A module that could not be loaded stays so for this page: the next page asks for the names of today.
    remember(startedAt);
    location.reload();
  }
}

/** Of a script that is not there a browser says nothing more. */
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
