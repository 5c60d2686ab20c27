import type { Permission } from '../../../../src/engine/vocabulary.js';

/**
 * Who may call each route. `open`: everyone. `login`: everyone where clients log in, which is tried in `logging-in.test.ts`; elsewhere
 * it is nowhere. `known`: whoever is known. Else the permissions in the namespace, or, behind `*`, in all of them.
 */
export const ROUTES: Readonly<Record<string, 'open' | 'login' | 'known' | readonly (Permission | '*')[]>> = {
  'GET /health': 'open',
  'GET /health/live': 'open',
  'GET /health/ready': 'open',
  'GET /schemas/workflow.v1.json': 'open',
  'GET /openapi.json': 'open',
  'GET /': 'open',
  'GET /console': 'open',
  'GET /console/': 'open',
  'GET /console/:name': 'open',
  'GET /console/settings.json': 'open',
  'GET /docs': 'open',
  'GET /docs/:file': 'open',
  'GET /.well-known/oauth-protected-resource': 'login',
  'GET /.well-known/oauth-protected-resource/mcp': 'login',
  'GET /whoami': 'known',
  'GET /keys': 'known',
  'POST /keys': 'known',
  'POST /keys/:id/rotate': 'known',
  'DELETE /keys/:id': 'known',
  'POST /owners/:owner/revoke': ['*', 'key:manage'],
  'GET /metrics': ['*', 'metrics:read'],
  'POST /mcp': [],
  'GET /mcp': [],
  'DELETE /mcp': [],
  'POST /workflows/from-yaml': ['workflow:register'],
  'POST /workflows/validate': ['workflow:register'],
  'DELETE /workflows/:id': ['workflow:register'],
  'GET /workflows': ['workflow:read'],
  'GET /workflows/:id': ['workflow:read'],
  'GET /workflows/:id/versions': ['workflow:read'],
  'GET /workflows/:id/versions/:hash': ['workflow:read'],
  'GET /workflows/:id/diff': ['workflow:read'],
  'POST /workflows/:id/runs': ['run:start'],
  'POST /workflows/:id/runs/batch': ['run:start'],
  'GET /runs': ['run:read'],
  'GET /runs/:runId': ['run:read'],
  'GET /events': ['run:read'],
  'GET /workflows/:id/runs': ['run:read'],
  'GET /workflows/:id/runs/:runId': ['run:read'],
  'GET /workflows/:id/runs/:runId/messages': ['run:read'],
  'GET /workflows/:id/runs/:runId/events': ['run:read'],
  'GET /workflows/:id/runs/:runId/events/:seq': ['run:read'],
  'GET /workflows/:id/runs/:runId/snapshots': ['run:read'],
  'GET /workflows/:id/runs/:runId/snapshots/:snapshotId': ['run:read'],
  'POST /workflows/:id/runs/:runId/resume': ['run:steer'],
  'POST /workflows/:id/runs/:runId/cancel': ['run:steer'],
  'POST /workflows/:id/runs/:runId/pause': ['run:steer'],
  'POST /workflows/:id/runs/:runId/compensate': ['run:steer'],
  'POST /workflows/:id/runs/:runId/fork': ['run:fork', 'run:start'],
  'POST /workflows/:id/runs/:runId/hitl': ['gate:decide'],
  'GET /workflows/:id/runs/:runId/export': ['run:export'],
  'POST /runs/import': ['run:import'],
  'GET /gates': ['gate:read'],
  'GET /memory/search': ['memory:read'],
  'GET /audit': ['audit:read'],
};

const isOf = (kind: string) => (route: string) => ROUTES[route] === kind;

export const OPEN_ROUTES: readonly string[] = Object.keys(ROUTES).filter(isOf('open'));
export const LOGIN_ROUTES: readonly string[] = Object.keys(ROUTES).filter(isOf('login'));
