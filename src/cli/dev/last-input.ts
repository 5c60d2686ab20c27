import type { FlowgateClient, JsonObject } from 'flowgate-client';
import { access } from 'node:fs/promises';
import { readJsonObject } from '../input/read-json.js';
import { DOCUMENT } from '../input/workflow-files.js';

/** The input of the newest run of the workflow; before there is one, `<name>.input.json` next to the document, or nothing. */
export async function lastInput(
  client: FlowgateClient,
  { workflowId, file }: { readonly workflowId: string; readonly file: string },
  signal: AbortSignal,
): Promise<JsonObject> {
  const { items } = await client.listRuns({ workflowId, limit: 1, signal });
  const [newest] = items;
  if (newest === undefined) return inputBeside(file);
  // The first event of a run is its start; it is read alone, because an input may be long.
  const { data } = await client.getEvent(workflowId, newest.runId, 1, { signal });
  return Object(data['input']) as JsonObject;
}

async function inputBeside(file: string): Promise<JsonObject> {
  const path = file.replace(DOCUMENT, '.input.json');
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  return isThere ? ((await readJsonObject(path)) as JsonObject) : {};
}
