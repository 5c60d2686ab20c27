import { inspect } from 'node:util';
import { ConfigError } from '../errors/service-errors.js';

/** Whether a decision over MCP is allowed at a gate of a run that was started over MCP. */
export const OWN_GATES = ['allow', 'refuse'] as const;
export type OwnGates = (typeof OWN_GATES)[number];

/** The options of the MCP gateway. */
export interface McpOptions {
  /**
   * Which tools there are, in both profiles: `default`, `extended`, names of tools, and `-name` to remove one. An
   * unknown name stops the start. Default `['default']`.
   */
  readonly tools?: readonly string[];
  /** Whether every registered workflow is a tool of its own, too. Default false. */
  readonly workflowTools?: boolean;
  /**
   * `refuse`: a decision over MCP is refused for a run that was started over MCP, unless the host knows both who
   * started it and who decides (`actor`), and they differ. Decisions over HTTP are not affected. Default `allow`.
   */
  readonly ownGates?: OwnGates;
  /**
   * How long a call of a tool waits for its run to stop, in ms, 0 to one day; after that it returns the record with
   * the status `running`. Default 30,000.
   */
  readonly waitMs?: number;
  /** How many sessions of the 2025 revisions are kept at once, 1 to 100,000. Default 1,000. */
  readonly maxSessions?: number;
}

export const MCP_DEFAULTS = {
  tools: ['default'],
  workflowTools: false,
  ownGates: 'allow',
  waitMs: 30_000,
  maxSessions: 1_000,
} as const satisfies Required<McpOptions>;

/** The least and the most of each number. */
export const MCP_RANGES = { waitMs: [0, 86_400_000], maxSessions: [1, 100_000] } as const;

/** The form of an entry of `tools`; the gateway checks which tools exist. */
export const TOOL_CHOICE = {
  allowed: 'default, extended, names of tools and -name, separated by commas',
  pattern: /^-?[a-z][a-z0-9_]{0,127}$/,
};

const MAX_SHOWN = 100;

/**
 * The options with their defaults. Throws a `ConfigError` that names every fault, because JavaScript hosts can pass
 * anything.
 */
export function checkedMcp(given: unknown = {}): Readonly<Required<McpOptions>> {
  if (typeof given !== 'object' || given === null) throw new ConfigError([fault('mcp', given, 'an object')]);
  const options = { ...MCP_DEFAULTS, ...defined(given) } as Record<keyof McpOptions, unknown>;
  const rules: readonly (readonly [keyof McpOptions, boolean, string])[] = [
    ['tools', isChoice(options.tools), 'a list of default, extended, names of tools and -name'],
    ['workflowTools', typeof options.workflowTools === 'boolean', 'true or false'],
    ['ownGates', OWN_GATES.some((one) => one === options.ownGates), `one of ${OWN_GATES.join(', ')}`],
    ['waitMs', isWithin(options.waitMs, MCP_RANGES.waitMs), inWords(MCP_RANGES.waitMs)],
    ['maxSessions', isWithin(options.maxSessions, MCP_RANGES.maxSessions), inWords(MCP_RANGES.maxSessions)],
  ];
  const faults = rules.flatMap(([name, holds, allowed]) =>
    holds ? [] : [fault(`mcp.${name}`, options[name], allowed)],
  );
  if (faults.length > 0) throw new ConfigError(faults);
  return options as Required<McpOptions>;
}

/** An undefined option counts as left out. */
function defined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function isChoice(given: unknown): boolean {
  return (
    Array.isArray(given) && given.every((one) => typeof one === 'string' && TOOL_CHOICE.pattern.test(one))
  );
}

function isWithin(given: unknown, [least, most]: readonly [number, number]): boolean {
  return typeof given === 'number' && Number.isInteger(given) && given >= least && given <= most;
}

function inWords([least, most]: readonly [number, number]): string {
  return `a whole number from ${least} to ${most}`;
}

function fault(variable: string, value: unknown, allowed: string) {
  return { variable, message: `${variable} is ${shown(value)}: it must be ${allowed}.` };
}

function shown(value: unknown): string {
  return (typeof value === 'string' ? value : inspect(value)).slice(0, MAX_SHOWN);
}
