import type { GateItem, Page, PublicEvent } from '../../engine/index.js';
import { isLongerThan } from '../../http/long-responses/json-length.js';

/** The longest page, as JSON: an agent reads all of it. */
const PAGE_CHARS = 65_536;
const MAX_COMMENT_CHARS = 2_000;
const MAX_PAYLOAD_CHARS = 4_096;

/** Returns fewer items than `limit` if they are long, at least one. The next page begins after the last of them. */
export async function shortPage<Listed extends Page<Item>, Item, Short>(
  limit: number,
  read: (limit: number) => Promise<Listed>,
  shorten: (item: Item) => Short,
): Promise<{ readonly page: Listed; readonly items: readonly Short[] }> {
  for (let most = limit; ;) {
    const page = await read(most);
    const items = page.items.map(shorten);
    const fitting = countThatFit(items);
    if (fitting === items.length) return { page, items };
    // Only the list itself knows the cursor between two items.
    most = fitting;
  }
}

/** The first events that fit or, of the newest, the last; at least one. */
export function eventsThatFit(events: readonly PublicEvent[], areNewest: boolean): readonly PublicEvent[] {
  const count = countThatFit(areNewest ? events.toReversed() : events);
  return areNewest ? events.slice(events.length - count) : events.slice(0, count);
}

/** A payload that is too long becomes null, and `payloadCut` says so. */
export function summarisedGate(item: GateItem): GateItem {
  const { payload, decision } = item;
  const isLong = isLongerThan(payload, MAX_PAYLOAD_CHARS);
  return {
    ...item,
    ...(isLong ? { payload: null, payloadCut: true } : {}),
    ...(decision === undefined
      ? {}
      : { decision: { ...decision, comment: beginningOrNull(decision.comment, MAX_COMMENT_CHARS) } }),
  };
}

function countThatFit(items: readonly unknown[]): number {
  let chars = 0;
  const first = items.findIndex((item) => (chars += JSON.stringify(item).length) > PAGE_CHARS);
  return first === -1 ? items.length : Math.max(1, first);
}

function beginningOrNull(text: string | null, chars: number): string | null {
  return text === null || text.length <= chars ? text : `${text.slice(0, chars)}…`;
}
