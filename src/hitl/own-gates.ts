import type { Actor } from '../engine/index.js';

/**
 * Whether somebody decides over MCP at a gate that may be of their own making: of a run that was started over MCP, by
 * them or by nobody knows whom. What a body claims counts for nothing here: only whom the host knows.
 */
export function isOwnGate(starter: Actor, decider: Actor): boolean {
  if (starter.via !== 'mcp' || decider.via !== 'mcp') return false;
  return starter.owner === null || decider.owner === null || starter.owner === decider.owner;
}
