import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { RunsScreen } from '../runs/runs-screen.js';

interface Screen {
  readonly title: string;
  readonly component: ComponentType;
  /** The entry of the navigation that it belongs to. */
  readonly entry: string;
  /** Whether it takes the whole width. */
  readonly isWide?: boolean;
}

/** Loaded when the first run is looked at. */
const runScreen = signal<ComponentType | null>(null);

function RunDoor() {
  const Component = runScreen.value;
  if (Component !== null) return <Component />;
  void import('../run/run-screen.js').then(({ RunScreen }) => {
    runScreen.value = RunScreen;
  });
  return <p class="muted">Loading…</p>;
}

const SCREENS: Readonly<Record<string, Screen>> = {
  runs: { title: 'Runs', component: RunsScreen, entry: 'runs' },
  run: { title: 'Run', component: RunDoor, entry: 'runs', isWide: true },
};

const UNKNOWN: Screen = { title: 'Nothing here', component: Nothing, entry: '' };

export function screenOf(name: string): Screen {
  return Object.hasOwn(SCREENS, name) ? (SCREENS[name] ?? UNKNOWN) : UNKNOWN;
}

function Nothing() {
  return (
    <div class="empty">
      <h2>There is no such screen</h2>
      <p>The address may be one of another version of the console.</p>
      <p>
        <a href="runs">Go to the runs</a>
      </p>
    </div>
  );
}
