import { profileOfBody, profileOfHead } from './profile.js';

const BOTH = 'application/json, text/event-stream';

it.each([
  // What REST consumers and curl send.
  [{}, 'plain'],
  [{ accept: '*/*' }, 'plain'],
  [{ accept: 'application/json' }, 'plain'],
  [{ accept: 'application/json, text/*' }, 'plain'],
  // A revision that is asked for by name.
  [{ 'mcp-protocol-version': '2024-11-05' }, 'plain'],
  [{ 'mcp-protocol-version': '2025-03-25' }, 'plain'],
  [{ 'mcp-protocol-version': '2025-03-26' }, 'official'],
  [{ 'mcp-protocol-version': '2025-06-18', accept: '*/*' }, 'official'],
  [{ 'mcp-protocol-version': '2025-11-25', accept: 'application/json' }, 'official'],
  [{ 'mcp-protocol-version': '2026-07-28' }, 'official'],
  // A revision that does not exist yet: the server of the others reports that.
  [{ 'mcp-protocol-version': '2099-01-01' }, 'official'],
  [{ 'mcp-protocol-version': 'latest' }, 'plain'],
  [{ 'mcp-protocol-version': '' }, 'plain'],
  // Only the revisions from 2026-07-28 on have this header.
  [{ 'mcp-method': 'tools/list' }, 'official'],
  [{ 'mcp-method': 'tools/list', 'mcp-protocol-version': '2024-11-05' }, 'official'],
  // Clients of 2025-03-26 name no revision once they are initialised.
  [{ accept: BOTH }, 'official'],
  [{ accept: 'Text/Event-Stream;q=0.5 , APPLICATION/JSON' }, 'official'],
  // Their body says it.
  [{ accept: BOTH, 'mcp-protocol-version': '2024-11-05' }, 'undecided'],
  [{ accept: 'text/event-stream' }, 'undecided'],
  [{ accept: 'text/event-stream, */*' }, 'undecided'],
])('the head %j is for %s', (headers, profile) => {
  expect(profileOfHead(headers)).toBe(profile);
});

it.each([
  [{ method: 'initialize', params: { protocolVersion: '2025-03-26' } }, 'official'],
  [{ method: 'initialize', params: { protocolVersion: '2026-07-28' } }, 'official'],
  [{ method: 'initialize', params: { protocolVersion: '2024-11-05' } }, 'plain'],
  [{ method: 'initialize', params: { protocolVersion: 20260728 } }, 'plain'],
  [{ method: 'initialize', params: {} }, 'plain'],
  [{ method: 'initialize', params: null }, 'plain'],
  [{ method: 'initialize' }, 'plain'],
  [{ method: 'tools/list', params: { protocolVersion: '2025-11-25' } }, 'plain'],
  [[{ method: 'initialize', params: { protocolVersion: '2025-11-25' } }], 'plain'],
  [null, 'plain'],
  ['initialize', 'plain'],
])('where the head leaves it open, the body %j is for %s', (body, profile) => {
  expect(profileOfBody(body)).toBe(profile);
});
