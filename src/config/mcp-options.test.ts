import { ConfigError } from '../errors/service-errors.js';
import { checkedMcp, MCP_DEFAULTS } from './mcp-options.js';

it('options of the MCP gateway that are left out, or undefined, have their defaults', () => {
  expect(checkedMcp()).toEqual(MCP_DEFAULTS);
  expect(checkedMcp({ waitMs: undefined, tools: ['extended', '-get_run'], maxSessions: 7 })).toEqual({
    ...MCP_DEFAULTS,
    tools: ['extended', '-get_run'],
    maxSessions: 7,
  });
});

it.each([
  ['off', 'mcp is off: it must be an object.'],
  [null, 'mcp is null: it must be an object.'],
  [{ tools: 'default' }, /^mcp\.tools is default: it must be a list of default, extended/],
  [{ tools: ['Get_run'] }, /^mcp\.tools is \[ 'Get_run' \]: /],
  [{ tools: [7] }, /^mcp\.tools is \[ 7 \]: /],
  [{ workflowTools: 'yes' }, 'mcp.workflowTools is yes: it must be true or false.'],
  [{ ownGates: 'ask' }, 'mcp.ownGates is ask: it must be one of allow, refuse.'],
  [{ waitMs: -1 }, 'mcp.waitMs is -1: it must be a whole number from 0 to 86400000.'],
  [{ waitMs: '30' }, /^mcp\.waitMs is 30: /],
  [{ maxSessions: 1.5 }, 'mcp.maxSessions is 1.5: it must be a whole number from 1 to 100000.'],
])('the options %j are refused, and what is allowed is said', (given, message) => {
  expect(() => checkedMcp(given)).toThrow(ConfigError);
  expect(() => checkedMcp(given)).toThrow(message);
});

it('every fault in the options of the MCP gateway is named at once', () => {
  expect(() => checkedMcp({ waitMs: 0.5, maxSessions: 0 })).toThrow(/waitMs[^]*\n.*maxSessions/);
});
