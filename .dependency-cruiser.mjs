// Who may import whom: the table of ARCHITECTURE.md as rules. What a row does not allow is an error.
// The parser is swc because dependency-cruiser cannot use TypeScript 7 (decision 0004). It sees `import type` as an
// import like any other; where a row says "types", `no-restricted-imports` in .oxlintrc.json adds that half.
// tools/checks/dependency-rules.mjs proves that every rule here finds what it forbids.

const TEST_FILE = '\\.test\\.ts$';

/** One row: files under `from` (tests apart) may import one another and what `allowed` names, nothing else in src. */
const row = (name, from, allowed) => ({
  name,
  comment: `Allowed here: its own files${allowed.length === 0 ? '' : `, ${allowed.join(', ')}`}.`,
  severity: 'error',
  from: { path: from, pathNot: TEST_FILE },
  to: { path: '^src/', pathNot: [from, ...allowed] },
});

/** The row without a folder that has one of its own. */
const apartFrom = (folder, rule) => ({
  ...rule,
  from: { ...rule.from, pathNot: [folder, rule.from.pathNot] },
});

/** As `row`, for folders of which each has its own subfolders that must not know one another. */
const rowPerFolder = (name, parent, allowed) => ({
  ...row(name, `^${parent}/([^/]+)/`, allowed),
  to: { path: '^src/', pathNot: [`^${parent}/$1/`, ...allowed] },
});

const ERRORS = '^src/errors/';
const CONFIG = '^src/config/';
/** By what a host injects an instance: the engine's class is one such token. */
const INSTANCE = '^src/instance\\.ts$';
/** The symbols by which our own providers get the engine and its telemetry. */
const TOKENS = '^src/config/instance-tokens\\.ts$';
const HTTP = '^src/http/';
/** As whom a request is served, and by which engine. */
const IDENTITY = '^src/http/identity/';
/** What the operations say of themselves, for OpenAPI. */
const OPENAPI = '^src/openapi/';
const CORE = '^src/engine/core/';
const LANGUAGE = '^src/engine/language/';
/** What is known of a document from its text alone: the client compiles it in, so it runs in browsers too. */
const READER = '^src/engine/language/reader/';
const PORTS = '^src/engine/ports/';
const JSON_VALUES = '^src/engine/json/';
/** What is looked at before a text is parsed, of a request as of an answer. */
const JSON_TEXTS = '^src/engine/json/exceeded-json-limit\\.ts$';
const DEFINITIONS = '^src/engine/definitions/';
/** Who works when; it knows nobody's work. */
const SCHEDULING = '^src/engine/scheduling/';
/** How long work gives the event loop back, of the engine as of the edge. */
const YIELDING = '^src/engine/scheduling/(slice|yielder)\\.ts$';
/** Whose share of what is scarce is used, and how that is divided, of the engine as of the edge. */
const SHARES = '^src/engine/scheduling/(caller|shares/[^/]+)\\.ts$';
const UNITS = '^src/engine/units/';
/** The shapes that the engine answers with: types only. */
const RECORD = '^src/engine/(run-record|run-lists|public-events|workflow-versions)\\.ts$';
const ENGINE_ENTRY = '^src/engine/index\\.ts$';
const ENGINE_MODULE = '^src/engine\\.module\\.ts$';
/** Where runs and memories are kept without a store of the host's. */
const IN_MEMORY = '^src/engine/in-memory/';
const STORAGE_MODULE = '^src/storage/storage\\.module\\.ts$';
/** What errors call things on each surface. It imports nothing. */
const WORDING = '^src/errors/wording\\.ts$';
/** The package flowgate-client, where npm links it to. */
const CLIENT = '^clients/typescript/dist/';
const CLI = '^src/cli/';
const SERVE = '^src/serve\\.ts$';
const NODE_VERSION = '^src/node-version\\.ts$';
/** The version of Node, looked at before an entry goes on. */
const NODE_CHECK = '^src/node-version-check\\.ts$';
const FEATURES = ['health', 'workflows', 'runs', 'hitl', 'memory', 'metrics'];
/** What asks who is asking, as interfaces: the guard knows no more of it. */
const ACCESS_INTERFACES = '^src/access/(authenticator|api-keys)\\.ts$';
/** What may name a namespace. */
const NAMESPACES = '^src/engine/core/namespace\\.ts$';
/** What finds and calls the methods of the host's providers. */
const DISCOVERY = '^src/discovery/';
/** What the host's modules bring along, and how documents are registered together: for whoever registers workflows at the start. */
const FEATURE_WORKFLOWS = '^src/features/(feature-workflows|registered-together)\\.ts$';
/** The outside of a feature: what its neighbours may inject. */
const FEATURE_OUTSIDE = `^src/(${FEATURES.join('|')})/[^/]+\\.(module|service)\\.ts$`;
/** The revisions of MCP that the official SDK serves. */
const MCP_OFFICIAL = '^src/mcp/official/';
/** The units that call tools of other servers, and in it what loads their client. */
const MCP_UNITS = '^src/engine/units/builtin/mcp/';
/** What the engine and its edges state once, together: closed lists of words, bounds of requests, defaults. It imports nothing. */
/** Who is asking: it knows no request, and no run. */
const ACCESS = '^src/access/';
/** The rooms of an engine. */
const ASSEMBLY = '^src/engine/assembly/';
const STATED = '^src/engine/(vocabulary|request-limits|engine-defaults)\\.ts$';
/** What our Nest modules give the engine and the stores as a logger. */
const LOGGING = '^src/logging/';
/** The stores, drivers and watches of replicas, put together: `flowgate/postgres`. */
const POSTGRES = '^src/postgres(/|\\.ts$)';
/** Where the package `pg` is known. */
const PG = '^src/storage/postgres/client/pg-[^/]+\\.ts$';
/** The shapes of requests: the tools of MCP are made of them. */
const DTOS = '^src/(runs|hitl|workflows)/dto/[^/]+\\.dto\\.ts$';
const ENGINE_PARTS = [CORE, LANGUAGE, PORTS, JSON_VALUES, RECORD, ERRORS, STATED];

const rows = [
  row('errors-import-nothing', ERRORS, []),
  row('config', CONFIG, [ERRORS, STATED]),
  row('instance', INSTANCE, [ENGINE_ENTRY]),
  row('core', CORE, [ERRORS, STATED]),
  row('stated-once', STATED, []),
  row('json', JSON_VALUES, [CORE]),
  row('language', LANGUAGE, [CORE, JSON_VALUES, ERRORS, STATED]),
  row('reader', READER, ['^src/engine/core/json\\.ts$', ERRORS]),
  row('ports', PORTS, [CORE, ERRORS, STATED]),
  row('run-record', RECORD, [CORE, STATED]),
  row('definitions', DEFINITIONS, [...ENGINE_PARTS, UNITS, SCHEDULING]),
  row('runtime', '^src/engine/runtime/', [...ENGINE_PARTS, DEFINITIONS, SCHEDULING]),
  row('scheduling', SCHEDULING, [PORTS, ERRORS]),
  row('units', UNITS, [...ENGINE_PARTS, SCHEDULING]),
  rowPerFolder('drivers', 'src/engine/drivers', [...ENGINE_PARTS, SCHEDULING]),
  row('in-memory', IN_MEMORY, [PORTS, CORE, ERRORS, YIELDING]),
  row('engine-entry', ENGINE_ENTRY, ['^src/engine/(?!testing/)', NODE_CHECK, ERRORS]),
  row('assembly', ASSEMBLY, [
    ...ENGINE_PARTS,
    DEFINITIONS,
    UNITS,
    SCHEDULING,
    '^src/engine/runtime/',
    '^src/engine/drivers/',
    '^src/engine/engine-options\\.ts$',
    '^src/engine/facets/run-observers\\.ts$',
  ]),
  row('acting', '^src/engine/access/', ['^src/engine/(?!testing/)', ERRORS]),
  row('facets', '^src/engine/facets/', ['^src/engine/(?!testing/)', ERRORS]),
  row('engine', '^src/engine/(?!run-record|run-lists|public-events|workflow-versions|index)[^/]+\\.ts$', [
    '^src/engine/(?!testing/)',
    ERRORS,
  ]),
  row('engine-module', ENGINE_MODULE, ['^src/engine/(?!testing/)', STORAGE_MODULE, LOGGING, CONFIG, ERRORS]),
  row('logging', LOGGING, [ENGINE_ENTRY]),
  row('engine-testing', '^src/engine/testing/', ['^src/engine/', ERRORS]),
  rowPerFolder('storage', 'src/storage', [PORTS, CORE, ERRORS, SCHEDULING, STATED]),
  row('storage-module', STORAGE_MODULE, [
    '^src/storage/',
    '^src/postgres\\.ts$',
    IN_MEMORY,
    LOGGING,
    PORTS,
    CONFIG,
    ERRORS,
  ]),
  row('postgres', POSTGRES, [
    '^src/storage/postgres/',
    '^src/engine/drivers/postgres/',
    '^src/engine/runtime/logger\\.ts$',
    '^src/config/(version|service/postgres-options)\\.ts$',
    PORTS,
    NODE_CHECK,
    ERRORS,
  ]),
  // Of the engine's entry types alone.
  apartFrom(
    IDENTITY,
    row('http', HTTP, [
      ERRORS,
      CONFIG,
      JSON_TEXTS,
      YIELDING,
      SHARES,
      STATED,
      ENGINE_ENTRY,
      ACCESS_INTERFACES,
      NAMESPACES,
      INSTANCE,
    ]),
  ),
  row('http-as-whom', IDENTITY, [HTTP, ENGINE_ENTRY, SHARES, ERRORS, CONFIG]),
  row('openapi', OPENAPI, [ERRORS, HTTP, CONFIG, STATED]),
  ...FEATURES.map((feature) =>
    row(feature, `^src/${feature}/`, [
      ENGINE_ENTRY,
      ENGINE_MODULE,
      FEATURE_OUTSIDE,
      HTTP,
      OPENAPI,
      CONFIG,
      ERRORS,
      STATED,
      ...(feature === 'workflows' ? [FEATURE_WORKFLOWS] : []),
    ]),
  ),
  row('access', ACCESS, [
    ENGINE_ENTRY,
    HTTP,
    OPENAPI,
    CONFIG,
    LOGGING,
    ERRORS,
    STATED,
    NAMESPACES,
    JSON_TEXTS,
    '^src/engine/ports/(clock|access/[^/]+)\\.ts$',
    '^src/engine/runtime/lists/list-cursor\\.ts$',
    '^src/engine/scheduling/semaphore\\.ts$',
  ]),
  row('console', '^src/console/', [HTTP, OPENAPI, CONFIG, ERRORS]),
  row('guide', '^src/guide/', [HTTP, OPENAPI, CONFIG, ERRORS]),
  row('discovery', DISCOVERY, [INSTANCE, ERRORS]),
  ...['units', 'run-events'].map((part) =>
    row(part, `^src/${part}/`, [ENGINE_ENTRY, DISCOVERY, TOKENS, ERRORS]),
  ),
  row('features', '^src/features/', [ENGINE_ENTRY, TOKENS, ERRORS]),
  row('flowgate', '^src/flowgate/', [
    ENGINE_ENTRY,
    STATED,
    INSTANCE,
    TOKENS,
    ERRORS,
    '^src/(units|run-events|features)/[^/]+\\.module\\.ts$',
  ]),
  row('testing', '^src/testing/', [
    ENGINE_ENTRY,
    NODE_CHECK,
    ERRORS,
    '^src/engine/testing/manual-clock\\.ts$',
    '^src/engine/ports/clock\\.ts$',
  ]),
  row('mcp', '^src/mcp/', [
    ENGINE_ENTRY,
    ENGINE_MODULE,
    FEATURE_OUTSIDE,
    DTOS,
    STATED,
    YIELDING,
    // Sessions are shared by group of callers, as everything scarce is.
    '^src/engine/scheduling/caller\\.ts$',
    HTTP,
    OPENAPI,
    CONFIG,
    ERRORS,
  ]),
  row('mcp-plain', '^src/mcp/plain/', ['^src/mcp/(tools/[^/]+|mcp-settings|json-rpc)\\.ts$', HTTP, ERRORS]),
  row('composition-root', '^src/(flowgate|app)\\.module\\.ts$', [
    '\\.module\\.ts$',
    ENGINE_ENTRY,
    INSTANCE,
    CONFIG,
    '^src/features/feature\\.ts$',
  ]),
  row('main', '^src/main\\.ts$', [SERVE, NODE_VERSION]),
  row('serve', SERVE, ['^src/(app\\.module|shut-down|start-memory)\\.ts$', CONFIG]),
  row('cli', CLI, [ENGINE_ENTRY, SERVE, NODE_VERSION, CONFIG, ERRORS, STATED]),
  row('node-version', NODE_VERSION, []),
  row('node-version-check', NODE_CHECK, [NODE_VERSION]),
  row('shut-down', '^src/shut-down\\.ts$', [ENGINE_ENTRY, CONFIG]),
  row('tracing', '^src/tracing/', [ENGINE_ENTRY, CONFIG, ERRORS]),
  row('start-memory', '^src/start-memory\\.ts$', []),
  // What it may import as a value is in .oxlintrc.json: flowgate.module, the engine's entry and the errors.
  row('public-surface', '^src/index\\.ts$', [
    '^src/(?!main\\.ts$|serve\\.ts$|app\\.module\\.ts$|engine/testing/)',
  ]),
];

/**
 * The rooms of a part, each with the others that it may import. What lies directly in the part is what they have in common. The
 * tables are written from the bottom up, so they have no circle.
 */
const ROOMS = {
  'src/engine/runtime': {
    telemetry: [],
    followers: [],
    dispatch: ['telemetry'],
    mailbox: ['dispatch', 'telemetry'],
    ownership: ['dispatch', 'mailbox'],
    reading: ['mailbox'],
    events: ['reading'],
    streams: ['events', 'followers', 'reading'],
    lists: ['reading'],
    'watched-lists': ['lists', 'streams'],
    starting: ['mailbox', 'reading', 'streams'],
    children: ['followers', 'mailbox', 'reading', 'starting'],
    requests: ['children', 'mailbox', 'reading', 'starting', 'streams'],
    transfer: ['mailbox', 'reading', 'starting'],
  },
  'src/http': {
    'host-bodies': [],
    bodies: ['access', 'host-bodies', 'identity'],
    refusals: [],
    identity: ['refusals'],
    access: ['identity', 'refusals'],
    'host-guard': ['access', 'identity', 'refusals'],
    validation: ['identity'],
    query: ['validation'],
    'long-responses': ['refusals'],
    'event-stream': ['access', 'identity', 'long-responses', 'refusals'],
    'web-pages': ['refusals'],
    standalone: ['access', 'bodies', 'long-responses', 'refusals', 'web-pages'],
  },
  'src/storage/sqlite': {
    connection: [],
    schema: ['connection'],
    threads: ['connection'],
    folder: ['connection'],
    marks: ['connection'],
    memory: ['connection', 'threads'],
    operations: ['connection', 'threads'],
    reader: ['connection', 'operations', 'threads'],
    writer: ['connection', 'folder', 'operations', 'threads'],
  },
};

const rooms = Object.entries(ROOMS).flatMap(([part, table]) =>
  Object.entries(table).map(([room, others]) => ({
    name: `${part.split('/').at(-1)}-${room}`,
    comment: `Of the other rooms of ${part}, allowed here: ${others.join(', ') || 'none'}.`,
    severity: 'error',
    from: { path: `^${part}/${room}/`, pathNot: TEST_FILE },
    to: { path: `^${part}/[^/]+/`, pathNot: [room, ...others].map((one) => `^${part}/${one}/`) },
  })),
);

const everyZone = rows.map((rule) => rule.from.path);
const NPM = '(^|/)node_modules/';

export default {
  forbidden: [
    ...rows,
    ...rooms,
    {
      name: 'every-room-has-a-row',
      comment:
        'A folder of runtime, http or sqlite that is no room may import nothing: give it a row in ROOMS.',
      severity: 'error',
      from: {
        path: Object.keys(ROOMS).map((part) => `^${part}/[^/]+/`),
        pathNot: [...rooms.map((rule) => rule.from.path), TEST_FILE],
      },
      to: {},
    },
    {
      name: 'every-file-has-a-row',
      comment: 'A file that no row covers may import nothing: give it a row here and in ARCHITECTURE.md.',
      severity: 'error',
      from: { path: '^src/', pathNot: [...everyZone, TEST_FILE] },
      to: {},
    },
    {
      name: 'core-is-pure',
      comment: 'The core knows no clock, no random, no I/O: no node:* module.',
      severity: 'error',
      from: { path: CORE, pathNot: TEST_FILE },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'core-uses-only-immutable',
      severity: 'error',
      from: { path: CORE, pathNot: TEST_FILE },
      to: { path: NPM, pathNot: `${NPM}immutable/` },
    },
    {
      name: 'the-engine-of-the-request',
      comment:
        'What serves requests reaches runs, workflows, gates and memory by the engine of its context alone, which asks what may be done. The folder of workflows is read before there are requests.',
      severity: 'error',
      from: {
        path: '^src/(workflows|runs|hitl|memory|mcp|http)/',
        pathNot: [IDENTITY, '^src/workflows/workflow-folder\\.ts$', TEST_FILE],
      },
      to: { path: TOKENS },
    },
    {
      name: 'no-nest-in-engine-and-storage',
      comment:
        'flowgate/engine runs where no Nest is installed, and who is asking is found out without it; only *.module.ts ' +
        'files wire them into Nest.',
      severity: 'error',
      from: {
        path: '^src/(engine|storage|access/(grants|keys|tokens))/',
        pathNot: ['\\.module\\.ts$', TEST_FILE],
      },
      to: { path: [`${NPM}@nestjs/`, '^@nestjs/'] },
    },
    {
      name: 'no-nest-in-the-command-line',
      comment: 'Only `flowgate serve` loads Nest, and that through src/serve.ts.',
      severity: 'error',
      from: { path: CLI, pathNot: TEST_FILE },
      to: { path: [`${NPM}@nestjs/`, '^@nestjs/'] },
    },
    {
      name: 'src-is-self-contained',
      comment: 'Tests, benchmarks, examples and clients know the sources, never the other way round.',
      severity: 'error',
      from: { path: '^src/', pathNot: TEST_FILE },
      to: { path: ['^(test|bench|examples|clients|console|tools)/', TEST_FILE], pathNot: CLIENT },
    },
    {
      name: 'only-the-command-line-asks-a-server',
      comment: 'It uses the published client, as others do.',
      severity: 'error',
      from: { path: '^src/', pathNot: CLI },
      to: { path: CLIENT },
    },
    {
      name: 'mcp-sdk-is-official',
      comment: 'The plain profile is the interface to the letter, and owes the SDK nothing.',
      severity: 'error',
      from: { path: '^src/', pathNot: [MCP_OFFICIAL, MCP_UNITS, TEST_FILE] },
      to: { path: `${NPM}@modelcontextprotocol/` },
    },
    {
      name: 'mcp-client-is-of-the-tool-client',
      comment: 'What is loaded with it is loaded by `mcp-units.ts`, when the first tool is called.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [`${MCP_UNITS}(tool-client|mcp-connections|incoming/said-by-tool)\\.ts$`, TEST_FILE],
      },
      to: { path: `${NPM}@modelcontextprotocol/client` },
    },
    {
      name: 'mcp-client-is-loaded-late',
      severity: 'error',
      from: { path: '^src/', pathNot: [MCP_UNITS, TEST_FILE] },
      to: { path: MCP_UNITS, pathNot: '/mcp-units\\.ts$' },
    },
    {
      name: 'mcp-sdk-is-loaded-late',
      comment:
        'The gateway loads `assembly.ts`, and with it the SDK, when somebody asks for it (decision 0070).',
      severity: 'error',
      from: { path: '^src/', pathNot: [MCP_OFFICIAL, TEST_FILE] },
      to: {
        path: MCP_OFFICIAL,
        pathNot: '/(official-gateway|server-factory|http-exchange|web-exchange)\\.ts$',
      },
    },
    {
      name: 'opentelemetry-is-loaded-late',
      comment:
        'The engine loads `run-tracing.ts` where somebody traces, the service the SDK where there is an endpoint.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/engine/runtime/telemetry/(run-tracing|tracing-options)\\.ts$',
          '^src/tracing/(otlp-tracing|export-report)\\.ts$',
          TEST_FILE,
        ],
      },
      to: { path: `${NPM}@opentelemetry/` },
    },
    {
      name: 'pg-is-of-the-database',
      comment:
        'It is an optional peer, loaded when a database is opened; what uses the database knows its interface.',
      severity: 'error',
      from: { path: '^src/', pathNot: [PG, TEST_FILE] },
      to: { path: [`${NPM}pg/`, `${NPM}@types/pg/`, '^pg$'] },
    },
    {
      name: 'jose-is-of-the-tokens',
      comment: 'What checks tokens is loaded by `access.ts`, where tokens are taken.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/access/tokens/', TEST_FILE] },
      to: { path: `${NPM}jose/` },
    },
    {
      name: 'rooms-are-put-together-once',
      severity: 'error',
      from: { path: '^src/', pathNot: [ASSEMBLY, '^src/engine/assemble\\.ts$', TEST_FILE] },
      to: { path: ASSEMBLY },
    },
    {
      name: 'nothing-imports-engine-testing',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/engine/testing/', '^src/testing/', TEST_FILE] },
      to: { path: '^src/engine/testing/' },
    },
    {
      name: 'reader-runs-in-browsers',
      severity: 'error',
      from: { path: READER, pathNot: TEST_FILE },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'client-is-independent',
      comment:
        'The client compiles in what reads documents (decision 0051) and what errors are worded in, and reaches the engine ' +
        'only through the optional peer flowgate/engine.',
      severity: 'error',
      from: { path: '^clients/[^/]+/src/' },
      to: { path: '^src/', pathNot: [READER, WORDING] },
    },
    {
      name: 'no-cycles',
      comment:
        'Circular imports between injectables throw in ESM; between other files they hide a missing concept.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      // The optional peer of the client: in this repository it is `src/engine`.
      to: { couldNotResolve: true, pathNot: '^flowgate/engine$' },
    },
    {
      name: 'only-declared-packages',
      comment: 'What the published package imports must be in its dependencies, or in its peers.',
      severity: 'error',
      from: { path: '^src/', pathNot: [TEST_FILE, '^src/engine/testing/'] },
      // An optional peer counts here as a peer, as one of no list (it stands in peerDependenciesMeta), and, where our
      // tests have it installed, as a development dependency.
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.tmp|coverage)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
