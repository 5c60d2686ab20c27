import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { ApprovalsScreen } from '../approvals/approvals-screen.js';
import { MemoryScreen } from '../memory/memory-screen.js';
import { RunsScreen } from '../runs/runs-screen.js';
import { ServiceScreen } from '../service/service-screen.js';
import { FrontScreen } from '../welcome/front-screen.js';
import { NewWorkflowScreen } from '../workflows/new-workflow-screen.js';
import { WorkflowScreen } from '../workflows/workflow-screen.js';
import { WorkflowsScreen } from '../workflows/workflows-screen.js';
import { FRONT } from './address.js';
import { loadPart } from './parts.js';

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
  void loadPart(() => import('../run/run-screen.js')).then(({ RunScreen }) => {
    runScreen.value = RunScreen;
  });
  return <p class="muted">Loading…</p>;
}

const SCREENS: Readonly<Record<string, Screen>> = {
  [FRONT]: { title: 'Flowgate', component: FrontScreen, entry: FRONT },
  approvals: { title: 'Approvals', component: ApprovalsScreen, entry: 'approvals' },
  runs: { title: 'Runs', component: RunsScreen, entry: 'runs' },
  run: { title: 'Run', component: RunDoor, entry: 'runs', isWide: true },
  workflows: { title: 'Workflows', component: WorkflowsScreen, entry: 'workflows' },
  workflow: { title: 'Workflow', component: WorkflowScreen, entry: 'workflows' },
  'new-workflow': { title: 'New workflow', component: NewWorkflowScreen, entry: 'workflows' },
  memory: { title: 'Memory', component: MemoryScreen, entry: 'memory' },
  service: { title: 'Service', component: ServiceScreen, entry: 'service' },
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
