import type { Actor } from '../engine/index.js';

/**
 * Whether a decision over MCP concerns a gate that may be of the same client's making: the run was started over MCP,
 * by the same principal or by an unknown one. Names in bodies do not count, only principals that the host knows.
 */
export function isOwnGate(starter: Actor, decider: Actor): boolean {
  if (starter.via !== 'mcp' || decider.via !== 'mcp') return false;
  return starter.owner === null || decider.owner === null || starter.owner === decider.owner;
}
