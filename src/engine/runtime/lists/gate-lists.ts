import { InvalidRequestError } from '../../../errors/request-errors.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import type { JsonValue } from '../../core/json.js';
import { gateDueAt, type GateOpened } from '../../core/waits/events/gate-events.js';
import { beginningOfJson } from '../../json/beginning-of-json.js';
import type { GateCursor, ListedGate } from '../../ports/store/gates.js';
import type { RunIndex } from '../../ports/store/run-index.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { GateDecisionItem, GateItem, GatePage } from '../../run-lists.js';
import type { ListGatesRequest } from '../run-requests.js';
import { RunLogPages } from '../reading/run-log-pages.js';
import { eachInSlices } from '../../scheduling/slice.js';
import { GATE_STATUSES, type GateStatus } from '../../vocabulary.js';
import { filterText } from './filter-of.js';
import { GateEvents } from './gate-events.js';
import { checkedLimit, decodeCursor, encodeCursor, type CursorOf } from './list-cursor.js';
import { listedDescription, listedTitle } from './listed-texts.js';
import { pageInScope } from './page-in-scope.js';
import { queriesOf } from './queries-of-scope.js';
import { SeenGates } from './seen-gates.js';

/** The bound of a payload as JSON, in UTF-8; a larger one is read from its run. */
const MAX_PAYLOAD_BYTES = 65_536;
/** The same in streams of lists, of which there may be a thousand. */
export const MAX_STREAMED_PAYLOAD_BYTES = 4_096;
/** Enough for two of the longest pages, also where each gate shows as much as it may. */
const MAX_SEEN = { gates: 400, chars: 2_500_000 };

/** What a list shows of the event that opened a gate. */
type Asked = Pick<
  GateItem,
  | 'path'
  | 'title'
  | 'titleCut'
  | 'description'
  | 'descriptionCut'
  | 'payload'
  | 'payloadCut'
  | 'onReject'
  | 'openedAt'
  | 'dueAt'
>;

/** Throws an `InvalidRequestError` for another status. */
export function checkedGateStatus(status: string = 'open'): GateStatus {
  const known = GATE_STATUSES.find((one) => one === status);
  if (known !== undefined) return known;
  throw new InvalidRequestError(`status must be ${GATE_STATUSES.join(' or ')}`);
}

/** Lists the gates of all runs. Rows say where they are; what they ask is in the logs of their runs. */
export class GateLists {
  private readonly events: GateEvents;
  /** What streams show of gates: a thousand of them may request it at once. */
  private readonly streamed: SeenGates<Asked>;

  constructor(private readonly store: RunIndex & Pick<RunLog, 'readEvents'>) {
    this.events = new GateEvents(new RunLogPages(store));
    this.streamed = new SeenGates(
      this.events,
      (event) => askedIn(event, MAX_STREAMED_PAYLOAD_BYTES),
      MAX_SEEN,
    );
  }

  /** Throws an `InvalidRequestError`. */
  async list(request: ListGatesRequest, maxPayloadBytes = MAX_PAYLOAD_BYTES): Promise<GatePage> {
    const { namespace = DEFAULT_NAMESPACE, scope = 'all' } = request;
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
    const queries = queriesOf(scope, workflowId);
    const { rows, next } = await pageInScope<ListedGate, GateCursor>({
      queries,
      before,
      limit,
      read: async (workflows, from, most) => {
        const asked = { namespace, status, workflowId, workflows, before: from, limit: most };
        const page = await this.store.listGates(asked);
        return { rows: page.gates, next: page.next };
      },
      keyOf: ({ openedAt, decidedAt, runId, gateId }) => ({ at: decidedAt ?? openedAt, runId, gateId }),
      isNewer: isNewerGate,
    });
    const items = await eachInSlices(rows, (gate) => this.item(gate, maxPayloadBytes));
    return {
      items: items.filter((item) => item !== null),
      next: next === null ? null : encodeCursor(of, [next.at, next.runId, next.gateId]),
      open: await this.countOpen(namespace, workflowId, queries),
    };
  }

  /** What a list says of the gate; null where its run was purged a moment ago. */
  async item(gate: ListedGate, maxPayloadBytes = MAX_PAYLOAD_BYTES): Promise<GateItem | null> {
    const { runId, workflowId, definitionHash, gateId, unitId, decidedSeq } = gate;
    const asked = await this.asked(gate, maxPayloadBytes);
    if (asked === undefined) return null;
    const decision = decidedSeq === null ? null : await this.decision(runId, decidedSeq);
    const named = { gateId, runId, workflowId, definitionHash, unitId };
    return { ...named, ...asked, ...(decision === null ? {} : { decision }) };
  }

  /** Of what is shown alone: a count must not tell of others. */
  private async countOpen(
    namespace: string,
    workflowId: string | null,
    queries: ReturnType<typeof queriesOf>,
  ): Promise<number> {
    let open = 0;
    for (const workflows of queries)
      open += await this.store.countOpenGates({ namespace, workflowId, workflows });
    return open;
  }

  private async asked(gate: ListedGate, maxPayloadBytes: number): Promise<Asked | undefined> {
    const { runId, gateId } = gate;
    if (maxPayloadBytes === MAX_STREAMED_PAYLOAD_BYTES)
      return (await this.streamed.shown(runId, [gate])).get(gateId);
    const event = (await this.events.opened(runId, [gate])).get(gateId);
    return event === undefined ? undefined : askedIn(event, maxPayloadBytes);
  }

  private async decision(runId: string, seq: number): Promise<GateDecisionItem | null> {
    const event = await this.events.decided(runId, seq);
    if (event === null) return null;
    const { approved, responder, at: decidedAt, comment } = event;
    return { approved, responder, decidedAt, comment };
  }
}

function isNewerGate(a: GateCursor, b: GateCursor): boolean {
  if (a.at !== b.at) return a.at > b.at;
  return a.runId === b.runId ? a.gateId > b.gateId : a.runId > b.runId;
}

function askedIn(event: GateOpened, maxPayloadBytes: number): Asked {
  const { path, title, description, payload, onReject, at: openedAt } = event;
  const texts = { ...listedTitle(title), ...listedDescription(description) };
  const asked = { path, ...texts, ...listedPayload(payload, maxPayloadBytes), onReject, openedAt };
  return { ...asked, ...gateDueAt(event) };
}

function listedPayload(payload: JsonValue, maxBytes: number): Pick<GateItem, 'payload' | 'payloadCut'> {
  const text = beginningOfJson(payload, maxBytes + 1);
  if (Buffer.byteLength(text) <= maxBytes) return { payload };
  return { payload: null, payloadCut: true };
}
