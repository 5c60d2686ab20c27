import { isLoopback } from './loopback.js';
import { nearName } from './near-name.js';
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
        apiGroups: ['flowgate'],
        serverName: 'flowgate',
        logLevel: 'info',
        maxBodyBytes: 8_388_608,
        maxResponseBytes: 10_485_760,
        maxStateBytes: 67_108_864,
        resumeWaitMs: 30_000,
        shutdownGraceMs: 5_000,
        retentionDays: 30,
        maxEndedRuns: null,
        maxWorkflows: 1_000,
        maxDefinitions: 10_000,
        workflowsDir: null,
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
      LOG_LEVEL: 'debug',
      FLOWGATE_MAX_ENDED_RUNS: '10',
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
      logLevel: 'debug',
      maxEndedRuns: 10,
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
    ['FLOWGATE_STORE', 'mysql', 'one of sqlite, memory'],
    ['FLOWGATE_REGISTRY', 'sqlite', 'one of memory, durable'],
    ['FLOWGATE_MAX_STATE_BYTES', '1023', 'a whole number from 1024 to 536870912'],
    ['LOG_LEVEL', 'loud', 'one of silent, fatal, error, warn, info, debug, trace'],
    ['FLOWGATE_SHUTDOWN_GRACE_MS', '9000', 'a whole number from 0 to 8999'],
    ['FLOWGATE_MAX_BODY_BYTES', '10MB', 'a whole number from 1024 to 536870912'],
    ['FLOWGATE_API_GROUP', 'a/b', 'names of letters, digits, dots and dashes, separated by commas'],
  ])('refuses %s=%s and says what is allowed', (variable, value, allowed) => {
    expect(faultOf({ [variable]: value })).toBe(`${variable} is "${value}": it must be ${allowed}.`);
  });

  it('names every fault', () => {
    expect(faultOf({ PORT: 'x', FLOWGATE_STORE: 'y' }).split('\n')).toHaveLength(2);
  });

  it('never shows a secret', () => {
    const fault = faultOf({ FLOWGATE_ENCRYPTION_KEY: 'hunter2' });
    expect(fault).toMatch(/^FLOWGATE_ENCRYPTION_KEY is its value \(not shown\): it must be 32 bytes/);
  });

  it('warns about variables that nobody reads, with the near name', () => {
    const { warnings } = readConfig({
      FLOWGATE_DATADIR: 'x',
      FLOWGATE_COLOUR_OF_THE_SKY: 'blue',
      FLOWGATE_SECRET_TOKEN: 'x',
      OTHER: '1',
    });
    expect(warnings).toEqual([
      'FLOWGATE_DATADIR is not a setting of Flowgate; did you mean FLOWGATE_DATA_DIR?',
      'FLOWGATE_COLOUR_OF_THE_SKY is not a setting of Flowgate',
    ]);
  });
});

it.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.example.com', false],
  ['192.168.1.1', false],
])('%s is a loopback address: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

it('finds a near name only for a slip', () => {
  const names = ['FLOWGATE_STORE', 'FLOWGATE_DATA_DIR'];
  expect(nearName('FLOWGATE_STOER', names)).toBe('FLOWGATE_STORE');
  expect(nearName('SOMETHING', names)).toBeNull();
});
