import type { JsonObject, RunRecord } from '../../../src/engine/index.js';
import { openEngine, workflowYaml, type TestEngine } from '../../support/engine.js';

/** One attempt only: these tests check what the first attempt says. */
const ONCE = { retry: { maxAttempts: 1 } };

/** Runs a workflow of one `builtin.mcp` with that config in that engine. */
export async function callTool(
  { engine }: Pick<TestEngine, 'engine'>,
  config: JsonObject,
  more: { readonly with?: unknown; readonly input?: JsonObject; readonly policy?: object } = {},
): Promise<RunRecord> {
  const { policy = ONCE, input = {}, ...fields } = more;
  const unit = { id: 'call', uses: 'builtin.mcp', config, ...fields };
  await engine.workflows.register({ yaml: workflowYaml('w', { units: [unit], flow: 'call', policy }) });
  return engine.runs.start({ workflowId: 'w', input, sync: true });
}

/** Does the same in an engine of its own. */
export async function callOnce(
  config: JsonObject,
  more: Parameters<typeof callTool>[2] & { readonly options?: Parameters<typeof openEngine>[1] } = {},
): Promise<{ readonly output: unknown; readonly error: string | undefined; readonly record: RunRecord }> {
  const { options = {}, ...rest } = more;
  const opened = await openEngine({}, options);
  try {
    const record = await callTool(opened, config, rest);
    return { output: record.result?.state['output.call'], error: record.error, record };
  } finally {
    await opened.engine.close();
  }
}
