import type { ComponentType } from 'preact';
import { ApprovalsScreen } from '../approvals/approvals-screen.js';
import { MemoryScreen } from '../memory/memory-screen.js';
import { RunsScreen } from '../runs/runs-screen.js';
import { ServiceScreen } from '../service/service-screen.js';
import { FrontScreen } from '../welcome/front-screen.js';
import { WorkflowScreen } from '../workflows/workflow-screen.js';
import { WorkflowsScreen } from '../workflows/workflows-screen.js';
import { FRONT } from './address.js';
import { href } from './router.js';
import { doorTo } from '../ui/door.js';

interface Screen {
  readonly title: string;
  readonly component: ComponentType;
  /** The entry of the navigation that it belongs to. */
  readonly entry: string;
  /** Whether it takes the whole width. */
  readonly isWide?: boolean;
}

const RunScreen = doorTo(async () => (await import('../run/run-screen.js')).RunScreen);
const EditorScreen = doorTo(async () => (await import('../editor/editor-screen.js')).EditorScreen);

const SCREENS: Readonly<Record<string, Screen>> = {
  [FRONT]: { title: 'Flowgate', component: FrontScreen, entry: FRONT },
  approvals: { title: 'Approvals', component: ApprovalsScreen, entry: 'approvals' },
  runs: { title: 'Runs', component: RunsScreen, entry: 'runs' },
  run: { title: 'Run', component: RunScreen, entry: 'runs', isWide: true },
  workflows: { title: 'Workflows', component: WorkflowsScreen, entry: 'workflows' },
  workflow: { title: 'Workflow', component: WorkflowScreen, entry: 'workflows' },
  'new-workflow': { title: 'Editor', component: EditorScreen, entry: 'workflows', isWide: true },
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
        <a href={href('runs')}>Go to the runs</a>
      </p>
    </div>
  );
}
