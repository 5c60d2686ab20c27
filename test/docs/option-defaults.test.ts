import { readFileSync } from 'node:fs';
import { EDGE_DEFAULTS } from '../../src/config/edge-options.js';
import { MCP_DEFAULTS } from '../../src/config/mcp-options.js';
import { POSTGRES_DEFAULTS } from '../../src/config/service/postgres-options.js';
import { SETTINGS } from '../../src/config/service/settings.js';
import { SSE_DEFAULTS } from '../../src/config/sse-options.js';
import { DEFAULTS } from '../../src/engine/engine-defaults.js';

const UNITS: Readonly<Record<string, number>> = {
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  hours: 3_600_000,
  days: 86_400_000,
};

/** A comment, and the option that it stands above. */
const DOCUMENTED = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly (\w+)/g;

/** What a comment says is the default, as a value; undefined: it says it in other words, or not at all. */
function defaultIn(comment: string): unknown {
  const [, said, unit = ''] =
    /Default `?([\w,.'[\]]*[\w\]])`?(?: (MiB|GiB|hours|days))?\.(?=\s|$)/.exec(
      comment.replaceAll(/\s*\n\s*\*\s*/g, ' '),
    ) ?? [];
  if (said === undefined) return undefined;
  const number = Number(said.replaceAll(',', ''));
  if (!Number.isNaN(number)) return number * (UNITS[unit] ?? 1);
  try {
    return JSON.parse(said.replaceAll("'", '"'));
  } catch {
    return said;
  }
}

describe('what the options say of themselves', () => {
  it.each<readonly [string, object, readonly string[]]>([
    // Some say it in a sentence: what holds then is shown by the tests of what they change.
    ['engine/engine-options', DEFAULTS, ['registry', 'apiGroups', 'encryptionKey', 'telemetry', 'tracing']],
    ['config/edge-options', EDGE_DEFAULTS, []],
    ['config/mcp-options', MCP_DEFAULTS, []],
    ['config/sse-options', SSE_DEFAULTS, []],
    ['postgres', POSTGRES_DEFAULTS, []],
  ])('is the default that holds: %s', (file, defaults, inSentences) => {
    const source = readFileSync(`src/${file}.ts`, 'utf8');
    const said = [...source.matchAll(DOCUMENTED)]
      .map(([, comment = '', name = '']) => [name, defaultIn(comment)] as const)
      .filter(([name, value]) => value !== undefined && Object.hasOwn(defaults, name));
    const others = Object.entries(defaults).filter(([name]) => !inSentences.includes(name));
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(others));
  });

  it('is what the service begins with, but for what is kept how long', () => {
    const all: Readonly<Record<string, unknown>> = { ...DEFAULTS, ...EDGE_DEFAULTS };
    const other = Object.entries(SETTINGS).filter(
      ([name, { fallback }]) => Object.hasOwn(all, name) && fallback !== all[name],
    );
    expect(other).toEqual([]);
    expect(SETTINGS.retentionDays.fallback).toBe(30);
    expect(DEFAULTS.retentionMs).toBe(null);
  });
});
