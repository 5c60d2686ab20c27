import type { JsonObject } from '../../../clients/typescript/src/types/json.js';
import { forkFields, type Act, type Connection } from './act.js';

/** The act with `flowgate-client`. */
export function asTypeScript(act: Act, { baseUrl, isTokenNeeded, namespace }: Connection): string {
  const options = [
    `baseUrl: ${text(baseUrl)}`,
    ...(isTokenNeeded ? ['token: process.env.FLOWGATE_TOKEN'] : []),
    ...(namespace === null ? [] : [`namespace: ${text(namespace)}`]),
  ];
  return [
    `import { FlowgateClient } from 'flowgate-client';`,
    '',
    `const client = new FlowgateClient({ ${options.join(', ')} });`,
    ...callOf(act),
  ].join('\n');
}

function callOf(act: Act): readonly string[] {
  if (act.kind === 'start')
    return answered(`client.startWorkflow(${text(act.workflowId)}, ${JSON.stringify(act.input)})`);
  const run = `${text(act.workflowId)}, ${text(act.runId)}`;
  switch (act.kind) {
    case 'read':
      return answered(`client.getRun(${run}, { view: 'full' })`);
    case 'watch':
      return [`for await (const event of client.watchRun(${run})) console.log(event);`];
    case 'resume':
      return answered(`client.resume(${run}${act.snapshotId === null ? '' : `, ${text(act.snapshotId)}`})`);
    case 'cancel':
    case 'pause':
    case 'compensate':
      return answered(`client.${act.kind}(${run}${optionsOf({ by: act.by })})`);
    case 'decide': {
      const { approved, responder, gateId, comment } = act;
      const options = optionsOf({ gateId, comment });
      const by = responder === null ? (options === '' ? '' : ', undefined') : `, ${text(responder)}`;
      return answered(`client.respondHITL(${run}, ${approved}${by}${options})`);
    }
    case 'fork':
      return answered(`client.fork(${run}${optionsOf(forkFields(act))})`);
  }
}

function answered(call: string): readonly string[] {
  return [`const run = await ${call};`, 'console.log(run.runId, run.status);'];
}

/** As a last argument; nothing where nothing is said. */
function optionsOf(fields: JsonObject): string {
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  return given.length === 0 ? '' : `, ${JSON.stringify(Object.fromEntries(given))}`;
}

/** JSON is JavaScript, and escapes whatever would end a text. */
function text(value: string): string {
  return JSON.stringify(value);
}
