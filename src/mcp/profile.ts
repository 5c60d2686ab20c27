import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from './json-rpc.js';

/**
 * Which part serves a request to `/mcp` (wire contract, "MCP"): `official`, the revisions from 2025-03-26 on, by the
 * official SDK; `plain`, JSON-RPC to the letter of the interface.
 */
export type Profile = 'plain' | 'official';

const FIRST_OFFICIAL_REVISION = '2025-03-26';
const REVISION = /^\d{4}-\d{2}-\d{2}$/;

/** The profile by the head of a POST; `undecided`: its body decides. */
export function profileOfHead(headers: IncomingHttpHeaders): Profile | 'undecided' {
  if (headers['mcp-method'] !== undefined) return 'official';
  const revision = headers['mcp-protocol-version'];
  if (isOfficial(revision)) return 'official';
  const { accept } = headers;
  if (!names(accept, 'text/event-stream')) return 'plain';
  return revision === undefined && names(accept, 'application/json') ? 'official' : 'undecided';
}

/** The profile of a POST whose head leaves it open: `initialize` names a revision in its body. */
export function profileOfBody(body: unknown): Profile {
  if (!isRecord(body) || body['method'] !== 'initialize' || !isRecord(body['params'])) return 'plain';
  return isOfficial(body['params']['protocolVersion']) ? 'official' : 'plain';
}

/** Revisions are dates, so they are ordered as texts. */
function isOfficial(revision: unknown): boolean {
  return typeof revision === 'string' && REVISION.test(revision) && revision >= FIRST_OFFICIAL_REVISION;
}

/** Whether one of the media types is named; a wildcard, as most HTTP clients send, names none. */
function names(accept: string | undefined, type: string): boolean {
  return (accept ?? '').split(',').some((range) => range.split(';', 1)[0]?.trim().toLowerCase() === type);
}
