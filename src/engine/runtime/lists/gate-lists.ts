import { InvalidRequestError } from '../../../errors/request-errors.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import type { JsonValue } from '../../core/json.js';
import { beginningOfJson } from '../../json/beginning-of-json.js';
import type { ListedGate, RunStore } from '../../ports/run-store.js';
import type { GateDecisionItem, GateItem, GatePage } from '../../run-lists.js';
import type { ListGatesRequest } from '../requests/run-requests.js';
import { RunLogPages } from '../requests/run-log-pages.js';
import { eachInTurns } from './each-in-turns.js';
import { filterText } from './filter-of.js';
import { GateEvents } from './gate-events.js';
import { checkedLimit, decodeCursor, encodeCursor, type CursorOf } from './list-cursor.js';

/** As JSON, in UTF-8; a larger payload is read from its run. */
const MAX_PAYLOAD_BYTES = 65_536;

/** Throws an `InvalidRequestError` for another one. */
export function checkedGateStatus(status: string = 'open'): 'open' | 'decided' {
  if (status === 'open' || status === 'decided') return status;
  throw new InvalidRequestError('status must be open or decided');
}

/** The gates of all runs. Rows know where they are; what they ask stands in the logs of their runs. */
export class GateLists {
  private readonly events: GateEvents;

  constructor(private readonly store: RunStore) {
    this.events = new GateEvents(new RunLogPages(store));
  }

  /** Throws an `InvalidRequestError`. */
  async list(request: ListGatesRequest): Promise<GatePage> {
    const { namespace = DEFAULT_NAMESPACE } = request;
    const workflowId = filterText('workflowId', request.workflowId);
    const status = checkedGateStatus(request.status);
    const limit = checkedLimit(request.limit);
    const of: CursorOf<readonly [number, string, number]> = {
      list: 'gates',
      filter: [namespace, status, workflowId],
      key: ['number', 'string', 'number'],
    };
    const key = decodeCursor(of, request.cursor);
    const before = key === null ? null : { at: key[0], runId: key[1], gateId: key[2] };
    const found = await this.store.listGates({ namespace, status, workflowId, before, limit });
    const items = await eachInTurns(found.gates, (gate) => this.item(gate));
    const { next } = found;
    return {
      items: items.filter((item) => item !== null),
      next: next === null ? null : encodeCursor(of, [next.at, next.runId, next.gateId]),
      open: await this.store.countOpenGates({ namespace, workflowId }),
    };
  }

  /** What a list says of the gate; null where its run was purged a moment ago. */
  async item(gate: ListedGate): Promise<GateItem | null> {
    const { runId, workflowId, definitionHash, gateId, unitId, decidedSeq } = gate;
    const event = (await this.events.opened(runId, [gate])).get(gateId);
    if (event === undefined) return null;
    const decision = decidedSeq === null ? null : await this.decision(runId, decidedSeq);
    const { path, title, description, onReject, at: openedAt } = event;
    return {
      gateId,
      runId,
      workflowId,
      definitionHash,
      unitId,
      path,
      title,
      description,
      ...listedPayload(event.payload),
      onReject,
      openedAt,
      ...(decision === null ? {} : { decision }),
    };
  }

  private async decision(runId: string, seq: number): Promise<GateDecisionItem | null> {
    const event = await this.events.decided(runId, seq);
    if (event === null) return null;
    const { approved, responder, at: decidedAt, comment } = event;
    return { approved, responder, decidedAt, comment };
  }
}

function listedPayload(payload: JsonValue): Pick<GateItem, 'payload' | 'payloadCut'> {
  const text = beginningOfJson(payload, MAX_PAYLOAD_BYTES + 1);
  if (Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES) return { payload };
  return { payload: null, payloadCut: true };
}
