// The service as dist/main.js starts it, with what the scenarios of the conformance suite ask for besides.
import { Logger } from '@nestjs/common';
import { createService } from '../../dist/app.module.js';
import { readConfig } from '../../dist/config/service/read-config.js';
import { McpServerFactory } from '../../dist/mcp/official/server-factory.js';
import { withFixtures } from './fixtures/extension.mjs';

// Where every workflow is a tool, one that is registered changes the list of tools.
const { config } = readConfig({ ...process.env, FLOWGATE_MCP_WORKFLOW_TOOLS: 'true' });
const app = await createService(config);
let address;
app
  .get(McpServerFactory, { strict: false })
  .extend((parts) => withFixtures(parts, { changeTools: () => register(`fixture-${Date.now()}`) }));
await app.listen(config.port, config.host);
address = `http://${config.host}:${app.getHttpServer().address().port}`;
new Logger('Fixtures').log(`The service with fixtures listens on ${address}`);
process.once('SIGTERM', () => app.close());

async function register(id) {
  const yaml = `apiVersion: flowgate/v1
kind: Workflow
metadata: { id: ${id} }
spec: { units: [{ id: one, uses: builtin.mock }], flow: { type: sequential } }`;
  // Where people say who they are, this goes the way of those who ask.
  const response = await fetch(`${process.env.FLOWGATE_FIXTURES_AT ?? address}/workflows/from-yaml`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ yaml }),
  });
  if (!response.ok) throw new Error(`The workflow was refused: ${await response.text()}`);
}
