import { isLoopback } from '../access/loopback.js';
import { nearName } from '../near-name.js';
import { readConfig } from './read-config.js';

const configOf = (environment: Record<string, string>) => readConfig(environment).config;
const faultOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      config: {
        host: '127.0.0.1',
        port: 8787,
        dataDir: '.flowgate',
        store: 'sqlite',
        registry: 'memory',
        databaseUrl: null,
        databaseSessionUrl: null,
        databaseSchema: 'flowgate',
        databaseDurable: 'verified',
        apiGroups: ['flowgate'],
        serverName: 'flowgate',
        statuses: 'interface',
        auth: ['none'],
        maxKeyDays: 365,
        bootstrapKeySha256: null,
        oidcIssuer: null,
        oidcAudience: [],
        oidcAlgorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
        oidcSubjectClaim: 'sub',
        oidcGroupsClaim: 'groups',
        oidcScopes: [],
        oidcConsoleClientId: null,
        accessFile: null,
        maxRequestsPerOwner: null,
        metricsPublic: false,
        recordsAudit: true,
        auditRetentionDays: 3650,
        publicUrl: null,
        mcpTools: ['default'],
        mcpWorkflowTools: false,
        mcpOwnGates: 'allow',
        metrics: true,
        console: true,
        otlpEndpoint: null,
        tracesSampler: 'parentbased_always_on',
        tracesSamplerArg: 1,
        mcpWaitMs: 30_000,
        mcpMaxSessions: 1_000,
        sseMaxStreams: 1_000,
        ssePingMs: 15_000,
        sseStalledMs: 60_000,
        logLevel: 'info',
        maxBodyBytes: 8_388_608,
        maxUploadBytes: 67_108_864,
        maxConnections: 10_000,
        allowedOrigins: [],
        corsOrigins: [],
        allowedHosts: [],
        maxResponseBytes: 10_485_760,
        maxStateBytes: 67_108_864,
        maxLogBytes: 1_073_741_824,
        maxNesting: 64,
        allowedAddresses: [],
        deniedAddresses: [],
        allowSelfCalls: false,
        maxUnitMs: 86_400_000,
        maxWorkflowMs: 31_622_400_000,
        maxDescendants: 10_000,
        resumeWaitMs: 30_000,
        shutdownGraceMs: 5_000,
        cancelGraceMs: 5_000,
        forkPastGates: false,
        retentionDays: 30,
        maxEndedRuns: null,
        maxWorkflows: 1_000,
        maxWorkflowsPerNamespace: null,
        maxOpenRunsPerNamespace: null,
        maxDefinitions: 10_000,
        workflowsDir: null,
        workflowsNamespace: null,
        secretsDir: null,
        encryptionKey: null,
      },
      warnings: [],
    });
  });

  it('takes what the environment says', () => {
    const config = configOf({
      HOST: '0.0.0.0',
      PORT: '0',
      FLOWGATE_STORE: 'Memory',
      FLOWGATE_REGISTRY: 'Durable',
      FLOWGATE_API_GROUP: 'flowgate, UniFlow ,Flowgate',
      FLOWGATE_MAX_STATE_BYTES: '1024',
      FLOWGATE_DENIED_ADDRESSES: '*.Example.com, 10.0.0.0/8',
      FLOWGATE_ALLOW_SELF_CALLS: 'True',
      FLOWGATE_MAX_UNIT_MS: '60000',
      FLOWGATE_MAX_WORKFLOW_MS: '3600000',
      FLOWGATE_MCP_TOOLS: 'default, extended,-Respond_hitl',
      FLOWGATE_MCP_WORKFLOW_TOOLS: 'true',
      FLOWGATE_MCP_OWN_GATES: 'Refuse',
      FLOWGATE_METRICS: 'false',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      FLOWGATE_MCP_WAIT_MS: '0',
      FLOWGATE_MCP_MAX_SESSIONS: '100000',
      FLOWGATE_SSE_MAX_STREAMS: '10',
      FLOWGATE_SSE_PING_MS: '1000',
      FLOWGATE_SSE_STALLED_MS: '5000',
      LOG_LEVEL: 'debug',
      FLOWGATE_MAX_ENDED_RUNS: '10',
      FLOWGATE_ALLOWED_ORIGINS: 'https://Flow.example.com, http://[::1]:3000,tauri://localhost',
      FLOWGATE_ALLOWED_HOSTS: 'Flow.example.com,10.0.0.7, fe80::1 ',
      FLOWGATE_MAX_WORKFLOWS: '20',
      FLOWGATE_MAX_DEFINITIONS: '30',
      FLOWGATE_DATA_DIR: ' /var/lib/flow gate ',
      FLOWGATE_ENCRYPTION_KEY: 'ab'.repeat(32),
    });
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: 0,
      store: 'memory',
      registry: 'durable',
      apiGroups: ['flowgate', 'uniflow'],
      maxStateBytes: 1_024,
      deniedAddresses: ['*.example.com', '10.0.0.0/8'],
      allowSelfCalls: true,
      maxUnitMs: 60_000,
      maxWorkflowMs: 3_600_000,
      mcpTools: ['default', 'extended', '-respond_hitl'],
      mcpWorkflowTools: true,
      mcpOwnGates: 'refuse',
      metrics: false,
      otlpEndpoint: 'http://collector:4318/',
      tracesSampler: 'traceidratio',
      tracesSamplerArg: 0.25,
      mcpWaitMs: 0,
      mcpMaxSessions: 100_000,
      sseMaxStreams: 10,
      ssePingMs: 1_000,
      sseStalledMs: 5_000,
      logLevel: 'debug',
      maxEndedRuns: 10,
      allowedOrigins: ['https://flow.example.com', 'http://[::1]:3000', 'tauri://localhost'],
      allowedHosts: ['flow.example.com', '10.0.0.7', 'fe80::1'],
      maxWorkflows: 20,
      maxDefinitions: 30,
      dataDir: '/var/lib/flow gate',
      encryptionKey: 'ab'.repeat(32),
    });
  });

  it('counts a blank variable as absent', () => {
    expect(configOf({ PORT: '', HOST: ' ' })).toEqual(configOf({}));
  });

  it.each([
    ['PORT', '65536', 'a whole number from 0 to 65535'],
    ['PORT', '80a', 'a whole number from 0 to 65535'],
    ['PORT', '-1', 'a whole number from 0 to 65535'],
    ['HOST', 'http://x', 'a host name or an IP address'],
    ['FLOWGATE_STORE', 'mysql', 'one of sqlite, memory, postgres'],
    ['FLOWGATE_REGISTRY', 'sqlite', 'one of memory, durable'],
    [
      'FLOWGATE_DATABASE_SCHEMA',
      'Flow',
      '1 to 63 lower-case letters, digits and underscores, no digit first, and not pg_',
    ],
    ['FLOWGATE_DATABASE_DURABLE', 'no', 'one of verified, elsewhere'],
    ['FLOWGATE_STATUSES', 'http', 'one of interface, conventional'],
    ['FLOWGATE_MCP_OWN_GATES', 'ask', 'one of allow, refuse'],
    ['FLOWGATE_MCP_TOOLS', 'a b', 'default, extended, names of tools and -name, separated by commas'],
    ['FLOWGATE_MCP_WAIT_MS', '86400001', 'a whole number from 0 to 86400000'],
    ['FLOWGATE_METRICS', 'on', 'true or false'],
    [
      'OTEL_TRACES_SAMPLER',
      'half',
      'one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio',
    ],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'a number from 0 to 1'],
    ['FLOWGATE_MCP_MAX_SESSIONS', '0', 'a whole number from 1 to 100000'],
    ['FLOWGATE_MAX_STATE_BYTES', '1023', 'a whole number from 1024 to 536870912'],
    ['LOG_LEVEL', 'loud', 'one of silent, fatal, error, warn, info, debug, trace'],
    ['FLOWGATE_SHUTDOWN_GRACE_MS', '600001', 'a whole number from 0 to 600000'],
    ['FLOWGATE_CANCEL_GRACE_MS', '600001', 'a whole number from 0 to 600000'],
    ['FLOWGATE_MAX_BODY_BYTES', '10MB', 'a whole number from 1024 to 536870912'],
    ['FLOWGATE_ALLOW_SELF_CALLS', 'yes', 'true or false'],
    ['FLOWGATE_API_GROUP', 'a/b', 'names of letters, digits, dots and dashes, separated by commas'],
  ])('refuses %s=%s and says what is allowed', (variable, value, allowed) => {
    expect(faultOf({ [variable]: value })).toBe(`${variable} is "${value}": it must be ${allowed}.`);
  });

  it.each([
    'null',
    '*',
    'flow.example.com',
    'https://a.example/',
    'https://a.example:443',
    'http://a:80',
    'a://b,',
  ])('refuses %s as an origin that a browser could send', (origin) => {
    expect(faultOf({ FLOWGATE_ALLOWED_ORIGINS: origin })).toMatch(
      /it must be origins such as https:\/\/flow\.example\.com \(no path/,
    );
  });

  it.each(['a:80', 'http://a', '*', '*.example.com', '[::1]', 'a/b', 'a.'])(
    'refuses %s as a host name',
    (host) => {
      expect(faultOf({ FLOWGATE_ALLOWED_HOSTS: host })).toMatch(
        /it must be host names or addresses without a port/,
      );
    },
  );

  it('names every fault', () => {
    expect(faultOf({ PORT: 'x', FLOWGATE_STORE: 'y' }).split('\n')).toHaveLength(2);
  });

  it('never shows a secret', () => {
    const fault = faultOf({ FLOWGATE_ENCRYPTION_KEY: 'hunter2' });
    expect(fault).toMatch(/^FLOWGATE_ENCRYPTION_KEY is its value \(not shown\): it must be 32 bytes/);
  });

  it('warns about variables that are not read, with the name that was probably meant', () => {
    const { warnings } = readConfig({
      FLOWGATE_DATADIR: 'x',
      FLOWGATE_COLOUR_OF_THE_SKY: 'blue',
      FLOWGATE_SECRET_TOKEN: 'x',
      FLOWGATE_SERVER: 'http://127.0.0.1:8787',
      OTHER: '1',
    });
    expect(warnings).toEqual([
      'FLOWGATE_DATADIR is not a setting of Flowgate; did you mean FLOWGATE_DATA_DIR?',
      'FLOWGATE_COLOUR_OF_THE_SKY is not a setting of Flowgate',
    ]);
  });
});

describe('the hosts of a secret', () => {
  it('may be a list of names, wildcards and addresses', () => {
    const lists = {
      FLOWGATE_SECRET_TOKEN: 'x',
      FLOWGATE_SECRET_HOSTS_TOKEN: 'api.example.com, *.bücher.example,127.0.0.1, ::1 ,[::1]',
    };
    expect(readConfig(lists)).toEqual(readConfig({}));
  });

  it.each(['https://x', 'x:80', 'x,,y', '*', 'a b'])('are not %s', (list) => {
    const [entry] = list === 'x,,y' ? [''] : [list];
    expect(faultOf({ FLOWGATE_SECRET_HOSTS_TOKEN: list })).toMatch(
      `FLOWGATE_SECRET_HOSTS_TOKEN names ${JSON.stringify(entry)}: it must list host names`,
    );
  });

  it('are warned about where no such secret is set', () => {
    const lists = {
      FLOWGATE_SECRET_TOKEN: 'x',
      FLOWGATE_SECRET_HOSTS_TOKN: 'api.example.com',
      FLOWGATE_SECRET_HOSTS_BLANK: ' ',
    };
    expect(readConfig(lists).warnings).toEqual([
      'FLOWGATE_SECRET_HOSTS_TOKN lists the hosts of a secret that is not set: there is no FLOWGATE_SECRET_TOKN',
    ]);
    expect(readConfig({ ...lists, FLOWGATE_SECRETS_DIR: '/run/secrets' }).warnings).toEqual([]);
  });
});

it.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['localhost', true],
  ['::1', true],
  ['LocalHost', true],
  ['0:0:0:0:0:0:0:1', true],
  ['::ffff:127.0.0.1', true],
  ['::1%lo', true],
  ['127.999.0.1', false],
  ['localhost.example.com', false],
  ['', false],
  ['0.0.0.0', false],
  ['::', false],
  ['127.example.com', false],
  ['192.168.1.1', false],
])('%s is a loopback address: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

it('finds a near name only for a typo', () => {
  const names = ['FLOWGATE_STORE', 'FLOWGATE_DATA_DIR'];
  expect(nearName('FLOWGATE_STOER', names)).toBe('FLOWGATE_STORE');
  expect(nearName('SOMETHING', names)).toBeNull();
});

describe('the settings of a database', () => {
  const URL = 'postgresql://flowgate:hunter2@db.example.com:5432/flowgate?sslmode=verify-full';
  const onPostgres = { FLOWGATE_STORE: 'postgres', FLOWGATE_DATABASE_URL: URL };

  it('are taken as they are given, and what is registered is durable without being asked for', () => {
    const given = {
      ...onPostgres,
      FLOWGATE_DATABASE_SESSION_URL: 'postgres:///flowgate?host=/run/postgresql',
      FLOWGATE_DATABASE_SCHEMA: 'flow_2',
      FLOWGATE_DATABASE_DURABLE: 'Elsewhere',
    };
    const { config, warnings } = readConfig(given);
    expect(config).toMatchObject({
      store: 'postgres',
      registry: 'durable',
      databaseUrl: URL,
      databaseSessionUrl: 'postgres:///flowgate?host=/run/postgresql',
      databaseSchema: 'flow_2',
      databaseDurable: 'elsewhere',
    });
    expect(warnings).toEqual([]);
    expect(configOf({ ...onPostgres, FLOWGATE_REGISTRY: 'durable' }).registry).toBe('durable');
    expect(configOf({ FLOWGATE_STORE: 'sqlite' }).registry).toBe('memory');
  });

  it('are refused without a database, in one sentence', () => {
    expect(faultOf({ FLOWGATE_STORE: 'postgres' })).toBe(
      'FLOWGATE_STORE is "postgres": FLOWGATE_DATABASE_URL must say which database, such as ' +
        'postgresql://flowgate@db.example.com/flowgate.',
    );
  });

  it('are refused with a registry in memory, in one sentence', () => {
    expect(faultOf({ ...onPostgres, FLOWGATE_REGISTRY: 'memory' })).toBe(
      'FLOWGATE_REGISTRY is "memory": with FLOWGATE_STORE=postgres all replicas share what is registered, so leave it ' +
        'out, or set it to durable.',
    );
  });

  it.each(['FLOWGATE_DATABASE_URL', 'FLOWGATE_DATABASE_SESSION_URL'])('never show what %s is', (variable) => {
    for (const value of ['mysql://ann:hunter2@db/x', 'postgresql://ann:hunter2@db /x', 'ann:hunter2@db']) {
      expect(faultOf({ ...onPostgres, [variable]: value })).toBe(
        `${variable} is its value (not shown): it must be a URL that begins with postgresql:// or postgres://.`,
      );
    }
  });

  it.each(['pg_flow', '1flow', 'flow-gate', 'a b', 'f'.repeat(64), 'fließen'])(
    'are refused with the schema %s',
    (schema) => {
      expect(faultOf({ FLOWGATE_DATABASE_SCHEMA: schema })).toMatch(/^FLOWGATE_DATABASE_SCHEMA is "/);
    },
  );

  it('are warned about where the store is another, without showing them', () => {
    const { warnings } = readConfig({ FLOWGATE_DATABASE_URL: URL });
    expect(warnings).toEqual([
      'FLOWGATE_DATABASE_URL is set, and FLOWGATE_STORE is sqlite: no database is used; set FLOWGATE_STORE=postgres to use it',
    ]);
  });
});

describe('the settings of who may ask', () => {
  const OIDC = { FLOWGATE_AUTH: 'oidc', FLOWGATE_OIDC_ISSUER: 'https://login.example.com' };

  it('are one or both kinds, as they are written', () => {
    expect(configOf({ FLOWGATE_AUTH: 'Keys' }).auth).toEqual(['keys']);
    const both = configOf({
      ...OIDC,
      FLOWGATE_AUTH: 'keys, oidc',
      FLOWGATE_OIDC_AUDIENCE: 'Flowgate,api://A-b',
    });
    expect([both.auth, both.oidcAudience]).toEqual([
      ['keys', 'oidc'],
      ['Flowgate', 'api://A-b'],
    ]);
    expect(configOf({ FLOWGATE_OIDC_ALGORITHMS: 'ES256,EdDSA' }).oidcAlgorithms).toEqual(['ES256', 'EdDSA']);
  });

  it.each<readonly [Record<string, string>, string]>([
    [{ FLOWGATE_AUTH: 'basic' }, 'FLOWGATE_AUTH is "basic": it must be none, or keys, oidc or both'],
    [{ FLOWGATE_AUTH: 'none,keys' }, 'none and something else'],
    [{ FLOWGATE_AUTH: 'oidc', FLOWGATE_OIDC_AUDIENCE: 'flowgate' }, 'FLOWGATE_OIDC_ISSUER must say'],
    [OIDC, 'FLOWGATE_OIDC_AUDIENCE must say'],
    [{ FLOWGATE_OIDC_ISSUER: 'http://login.example.com' }, 'FLOWGATE_OIDC_ISSUER must be an https URL'],
    [{ FLOWGATE_OIDC_CONSOLE_CLIENT_ID: 'my console' }, 'FLOWGATE_OIDC_CONSOLE_CLIENT_ID is "my console"'],
    [{ FLOWGATE_OIDC_ALGORITHMS: 'HS256' }, 'FLOWGATE_OIDC_ALGORITHMS is "HS256"'],
    [{ FLOWGATE_MAX_KEY_DAYS: '0' }, 'FLOWGATE_MAX_KEY_DAYS is "0"'],
    [{ FLOWGATE_BOOTSTRAP_KEY_SHA256: 'fgk_secret' }, 'its value (not shown)'],
  ])('%j ends the start', (environment, said) => {
    expect(faultOf(environment)).toContain(said);
    expect(faultOf(environment)).not.toContain('fgk_secret');
  });

  it('that have no effect are warned about', () => {
    const warningsOf = (environment: Record<string, string>) => readConfig(environment).warnings;
    expect(warningsOf({ FLOWGATE_AUTH: 'keys', FLOWGATE_OIDC_AUDIENCE: 'flowgate' })).toEqual([
      'FLOWGATE_OIDC_AUDIENCE is set, and FLOWGATE_AUTH is keys: it has no effect; add oidc to FLOWGATE_AUTH to use it',
    ]);
    expect(warningsOf({ FLOWGATE_AUTH: 'keys', FLOWGATE_OIDC_CONSOLE_CLIENT_ID: 'console' })).toEqual([
      'FLOWGATE_OIDC_CONSOLE_CLIENT_ID is set, and FLOWGATE_AUTH is keys: it has no effect; add oidc to FLOWGATE_AUTH to use it',
    ]);
    expect(warningsOf({ FLOWGATE_AUTH: 'keys', FLOWGATE_ACCESS_FILE: 'access.json' })).toEqual([]);
    expect(warningsOf({ FLOWGATE_METRICS_PUBLIC: 'true' })).toEqual([
      expect.stringContaining('FLOWGATE_METRICS_PUBLIC is set, and FLOWGATE_AUTH is none'),
    ]);
    expect(warningsOf({ FLOWGATE_AUTH: 'keys', FLOWGATE_MAX_KEY_DAYS: '30' })).toEqual([]);
  });
});

describe('the settings of where the service is known', () => {
  const OIDC = {
    FLOWGATE_AUTH: 'oidc',
    FLOWGATE_OIDC_ISSUER: 'https://login.example.com',
    FLOWGATE_OIDC_AUDIENCE: 'flowgate',
  };

  it('let its host be called by', () => {
    const known = { FLOWGATE_PUBLIC_URL: 'https://Flow.example.com/flows' };
    expect(configOf(known).allowedHosts).toEqual(['flow.example.com']);
    const both = { ...known, FLOWGATE_ALLOWED_HOSTS: 'inner.example.com,flow.example.com' };
    expect(configOf(both).allowedHosts).toEqual(['inner.example.com', 'flow.example.com']);
    // The local names are good anyway, and must not be the only ones.
    expect(configOf({ FLOWGATE_PUBLIC_URL: 'http://[::1]:8787' }).allowedHosts).toEqual([]);
  });

  it('are needed where clients log in from elsewhere, and are its own address where they cannot', () => {
    expect(configOf(OIDC).publicUrl).toBe('http://127.0.0.1:8787');
    expect(configOf({ ...OIDC, HOST: '::1', PORT: '80' }).publicUrl).toBe('http://[::1]:80');
    expect([
      configOf({ ...OIDC, PORT: '0' }).publicUrl,
      configOf({ FLOWGATE_AUTH: 'keys' }).publicUrl,
    ]).toEqual([null, null]);
    expect(faultOf({ ...OIDC, HOST: '0.0.0.0' })).toContain('FLOWGATE_PUBLIC_URL must say by which address');
    const known = { ...OIDC, HOST: '0.0.0.0', FLOWGATE_PUBLIC_URL: 'https://flow.example.com' };
    expect(configOf(known).publicUrl).toBe('https://flow.example.com');
  });

  it.each([
    'http://flow.example.com',
    'https://ann:word@flow.example.com',
    'https://flow.example.com?a',
    'flow',
  ])('are not %s', (url) => {
    expect(faultOf({ FLOWGATE_PUBLIC_URL: url })).toContain('must be an https URL without a query');
  });
});
