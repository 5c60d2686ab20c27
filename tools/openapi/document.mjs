import { readFileSync } from 'node:fs';

/** What a client calls each operation, by controller and method. */
const OPERATIONS = {
  'HealthController.health': 'getHealth',
  'HealthController.live': 'getLiveness',
  'HealthController.ready': 'getReadiness',
  'MetricsController.read': 'getMetrics',
  'WorkflowsController.list': 'listWorkflows',
  'RemovalController.remove': 'deleteWorkflow',
  'RegistrationController.register': 'registerWorkflow',
  'ValidationController.validate': 'validateWorkflow',
  'WorkflowVersionsController.current': 'getWorkflow',
  'WorkflowVersionsController.list': 'listWorkflowVersions',
  'WorkflowVersionsController.version': 'getWorkflowVersion',
  'WorkflowVersionsController.diff': 'diffWorkflowVersions',
  'SchemaController.schema': 'getWorkflowSchema',
  'RunsController.start': 'startRun',
  'RunBatchesController.start': 'startBatch',
  'RunsController.get': 'getRun',
  'RunByIdController.get': 'getRunById',
  'RunsController.resume': 'resumeRun',
  'RunsController.cancel': 'cancelRun',
  'RunsController.pause': 'pauseRun',
  'RunsController.compensate': 'compensateRun',
  'RunEventsController.list': 'listEvents',
  'RunEventsController.one': 'getEvent',
  'AllEventsController.stream': 'watchEvents',
  'ForksController.fork': 'forkRun',
  'HitlController.respond': 'respondHitl',
  'RunTransferController.export': 'exportRun',
  'RunTransferController.import': 'importRun',
  'RunListsController.list': 'listRuns',
  'RunListsController.listOf': 'listRunsOfWorkflow',
  'GatesController.list': 'listGates',
  'RunHistoryController.messages': 'getMessages',
  'RunHistoryController.snapshots': 'listSnapshots',
  'RunHistoryController.snapshot': 'getSnapshot',
  'MemoryController.search': 'searchMemory',
  'ProtectedResourceController.ofService': 'getServiceProtectedResource',
  'ProtectedResourceController.ofGateway': 'getProtectedResource',
  'ProtectedResourceController.preflightOfService': 'preflightServiceProtectedResource',
  'ProtectedResourceController.preflightOfGateway': 'preflightProtectedResource',
  'WhoAmIController.read': 'whoAmI',
  'KeysController.make': 'makeKey',
  'KeysController.list': 'listKeys',
  'KeysController.rotate': 'rotateKey',
  'KeysController.revoke': 'revokeKey',
  'OwnersController.revoke': 'revokeOwner',
  'AuditController.read': 'readAudit',
  'McpController.answer': 'callTool',
  'McpController.listen': 'listenToSession',
  'McpController.end': 'endSession',
};

/** The OpenAPI document of the standalone service; `app` is one, initialised or not. */
export function openApiDocument(app, { DocumentBuilder, SwaggerModule }) {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const about = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Flowgate')
    .setDescription('Workflow orchestration: YAML workflows, durable runs, human gates.')
    .setVersion(version)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', description: 'An API key, or a token of the provider' }, 'bearer')
    .build();
  const document = SwaggerModule.createDocument(app, about, {
    operationIdFactory(controller, method) {
      const name = OPERATIONS[`${controller}.${method}`];
      if (name === undefined) {
        throw new Error(`tools/openapi/document.mjs: give ${controller}.${method} a name for clients`);
      }
      return name;
    },
  });
  // What a reader looks for stands where he looks.
  const { openapi, info, servers: _servers, paths, components } = document;
  return { openapi, info, servers: [{ url: '/' }], paths, components };
}
