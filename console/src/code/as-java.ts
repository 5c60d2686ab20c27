import { forkFields, type Act, type Connection } from './act.js';

/** The act with the client for Java; input is given as JSON, so that it arrives as it was. */
export function asJava(act: Act, { baseUrl, isTokenNeeded, namespace }: Connection): string {
  const builder = [
    `FlowgateClient.builder(${text(baseUrl)})`,
    ...(isTokenNeeded ? ['.tokenSupplier(() -> System.getenv("FLOWGATE_TOKEN"))'] : []),
    ...(namespace === null ? [] : [`.namespace(${text(namespace)})`]),
    '.build()',
  ].join('\n    ');
  const { imports = [], lines } = callOf(act);
  return [
    ...['FlowgateClient', ...imports].map((name) => `import io.flowgate.client.${name};`),
    '',
    `try (FlowgateClient client = ${builder}) {`,
    ...lines.map((line) => `  ${line}`),
    '}',
  ].join('\n');
}

interface JavaCall {
  /** Classes next to the client. */
  readonly imports?: readonly string[];
  readonly lines: readonly string[];
}

function callOf(act: Act): JavaCall {
  if (act.kind === 'start') {
    const input = text(JSON.stringify(act.input));
    return printed(`client.startWorkflow(${text(act.workflowId)}, ${input}, false)`);
  }
  const run = `${text(act.workflowId)}, ${text(act.runId)}`;
  switch (act.kind) {
    case 'read':
      return printed(`client.getFullRun(${run})`);
    case 'watch':
      return {
        imports: ['PublicEvent', 'Watch'],
        lines: [
          `try (Watch<PublicEvent> events = client.typed().watchRun(${run})) {`,
          '  while (events.hasNext()) System.out.println(events.next());',
          '}',
        ],
      };
    case 'resume':
      return printed(
        `client.typed().resume(${run}${optionsOf('ResumeOptions', { snapshotId: act.snapshotId })})`,
        act.snapshotId === null ? [] : ['ResumeOptions'],
      );
    case 'cancel':
    case 'pause':
    case 'compensate':
      return printed(
        `client.typed().${act.kind}(${run}${optionsOf('StopOptions', { by: act.by })})`,
        act.by === null ? [] : ['StopOptions'],
      );
    case 'decide': {
      const { approved, responder, gateId, comment } = act;
      const options = optionsOf('RespondOptions', { responder, gateId, comment });
      return printed(
        `client.typed().respondHitl(${run}, ${approved}${options})`,
        options === '' ? [] : ['RespondOptions'],
      );
    }
    case 'fork':
      return printed(`client.fork(${run}, ${text(JSON.stringify(forkFields(act)))})`);
  }
}

function printed(call: string, imports: readonly string[] = []): JavaCall {
  return { imports, lines: [`System.out.println(${call});`] };
}

/** As a last argument; nothing where nothing is said. */
function optionsOf(name: string, fields: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(fields).flatMap(([field, value]) =>
    value === null ? [] : [`.${field}(${typeof value === 'number' ? `${value}L` : text(value)})`],
  );
  return given.length === 0 ? '' : `, ${name}.defaults()${given.join('')}`;
}

/** What JSON escapes, Java does as well; a backslash in front of an escape is doubled, so that none begins by accident. */
function text(value: string): string {
  return JSON.stringify(value);
}
