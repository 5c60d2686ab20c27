import { workerData } from 'node:worker_threads';
import type { JsonValue } from '../../../engine/core/json.js';
import { Connection } from '../connection/connection.js';
import { hasLiveManager, listKeys } from '../operations/access/keys.js';
import { listActs, readActsAfter } from '../operations/audit/read-acts.js';
import { listDue, listUnfinished } from '../operations/lists/list-runs.js';
import { countOpenRuns, countStanding } from '../operations/lists/count-standing.js';
import { findRuns } from '../operations/lists/find-runs.js';
import { countOpenGates, listGates } from '../operations/lists/list-gates.js';
import { readChanges } from '../operations/lists/read-changes.js';
import { listUnindexed } from '../operations/append/open-gates.js';
import { readLog } from '../operations/log/read-log.js';
import { checkRuns, readAppend } from '../operations/log/read-run.js';
import { listRegistrations } from '../operations/definitions/registrations.js';
import { readStateText } from '../operations/log/states.js';
import {
  definitionsKept,
  definitionsOfRuns,
  listUnregistered,
} from '../operations/definitions/unused-definitions.js';
import { serve } from '../threads/serve.js';
import { splitJson, type JsonPieces } from '../threads/json-pieces.js';
import type { LargeText, Scan, ScanResult } from './scan.js';

const file = String(workerData);
let connection: Connection | null = null;

function perform(scan: Scan): ScanResult {
  connection ??= new Connection(file, 'read');
  switch (scan.kind) {
    case 'find-runs':
      return { kind: 'found-runs', found: findRuns(connection, scan.request) };
    case 'list-gates':
      return { kind: 'gates', found: listGates(connection, scan.request) };
    case 'count-open-gates':
      return { kind: 'count', count: countOpenGates(connection, scan.request) };
    case 'count-open-runs':
      return { kind: 'count', count: countOpenRuns(connection, scan.request) };
    case 'count-standing':
      return { kind: 'standing', totals: countStanding(connection) };
    case 'read-changes':
      return { kind: 'changes', changes: readChanges(connection, scan.request) };
    case 'list-unfinished':
      return { kind: 'rows', rows: listUnfinished(connection, scan.request) };
    case 'list-due':
      return { kind: 'rows', rows: listDue(connection, scan.request) };
    case 'list-unindexed':
      return { kind: 'run-ids', runIds: listUnindexed(connection, scan.limit) };
    case 'list-registrations':
      return { kind: 'registrations', registrations: listRegistrations(connection, scan.request) };
    case 'list-keys':
      return { kind: 'keys', keys: listKeys(connection, scan.request) };
    case 'has-live-manager':
      return { kind: 'found', isFound: hasLiveManager(connection, scan.request) };
    case 'list-acts':
      return { kind: 'acts', acts: listActs(connection, scan.request) };
    case 'acts-after':
      return { kind: 'acts', acts: readActsAfter(connection, scan.request) };
    case 'definitions-kept':
      return { kind: 'kept', kept: definitionsKept(connection) };
    case 'list-unregistered':
      return { kind: 'unregistered', definitions: listUnregistered(connection, scan.request) };
    case 'definitions-of-runs':
      return { kind: 'named', page: definitionsOfRuns(connection, scan.request) };
    case 'read-log':
      return { kind: 'log', appends: readLog(connection, scan.request) };
    case 'read-large':
      return { kind: 'json', pieces: takeApart(connection, scan.request) };
    case 'check':
      checkRuns(connection);
      return { kind: 'checked' };
  }
}

function takeApart(from: Connection, { of, runId, seq }: LargeText): JsonPieces | null {
  const text = of === 'state' ? readStateText(from, runId, seq) : readAppend(from, runId, seq);
  return text === null ? null : splitJson(JSON.parse(text) as JsonValue);
}

serve({ handle: perform, close: () => connection?.close() });
