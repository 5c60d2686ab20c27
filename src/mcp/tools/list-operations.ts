import { Injectable } from '@nestjs/common';
import type { ActingEngine, GatePage, ListGatesRequest, ListRunsRequest } from '../../engine/index.js';
import { LIST_PAGE } from '../../engine/request-limits.js';
import { EVENT_VIEWS, type EventView } from '../../engine/vocabulary.js';
import { InvalidRequestError } from '../../errors/request-errors.js';
import { eventsThatFit, summarisedGate, shortPage } from './short-pages.js';
import {
  addressIn,
  flagIn,
  instantOf,
  OF_RUN,
  refuseMisses,
  textIn,
  textsByNameIn,
  valueIn,
  wholeNumberIn,
  type ToolArguments,
} from './tool-arguments.js';
import { USUAL_EVENTS } from './tool-definitions.js';

/** The tools that find runs, gates and events. They return the same as HTTP, in pages that an agent can read. */
@Injectable()
export class ListOperations {
  /** Throws an `InvalidRequestError`. */
  async runs(given: ToolArguments, { runs }: ActingEngine): Promise<object> {
    refuseMisses(given, 'list_runs');
    const filter = runFilterIn(given);
    const { page, items } = await shortPage(
      limitIn(given),
      (limit) => runs.list({ ...filter, limit }),
      (item) => item,
    );
    return { runs: items, ...cursorOf(page.next) };
  }

  /** Throws an `InvalidRequestError`. */
  async gates(given: ToolArguments, { gates }: ActingEngine): Promise<object> {
    refuseMisses(given, 'list_gates');
    const filter: ListGatesRequest = {
      status: (textIn(given, 'status') ?? undefined) as ListGatesRequest['status'],
      workflowId: textIn(given, 'workflowId') ?? undefined,
      cursor: textIn(given, 'cursor') ?? undefined,
    };
    const { page, items } = await shortPage(
      limitIn(given),
      (limit): Promise<GatePage> => gates.list({ ...filter, limit }),
      summarisedGate,
    );
    return { gates: items, open: page.open, ...cursorOf(page.next) };
  }

  /** Throws an `UnknownRunError` or an `InvalidRequestError`. */
  async events(given: ToolArguments, { runs }: ActingEngine): Promise<object> {
    const address = addressIn(given, OF_RUN);
    await runs.assertExists(address);
    refuseMisses(given, 'list_events');
    const tail = wholeNumberIn(given, 'tail') ?? undefined;
    const afterSeq = wholeNumberIn(given, 'afterSeq') ?? undefined;
    const limit = wholeNumberIn(given, 'limit') ?? undefined;
    if (tail !== undefined && (afterSeq !== undefined || limit !== undefined)) {
      throw new InvalidRequestError('tail stands for itself: send it without afterSeq and limit');
    }
    const view = viewIn(given);
    const bounds = tail === undefined ? { afterSeq, limit: limit ?? USUAL_EVENTS } : { tail };
    const page = await runs.events({ ...address, ...bounds, view });
    const events = eventsThatFit(page.items, tail !== undefined);
    const isCut = tail === undefined && events.length < page.items.length;
    const next = isCut ? (events.at(-1)?.seq ?? page.next) : page.next;
    return next === null ? { events } : { events, next };
  }
}

function runFilterIn(given: ToolArguments): ListRunsRequest {
  const text = (field: string): string | undefined => textIn(given, field) ?? undefined;
  const openGate = flagIn(given, 'openGate') ?? undefined;
  if (openGate === false) {
    throw new InvalidRequestError('openGate can only be true: leave it out for all runs');
  }
  return {
    workflowId: text('workflowId'),
    status: statusesIn(given),
    labels: textsByNameIn(given, 'labels') ?? undefined,
    createdAfter: instantOf(given, 'createdAfter') ?? undefined,
    createdBefore: instantOf(given, 'createdBefore') ?? undefined,
    openGate,
    gateUnit: text('gateUnit'),
    cancelled: flagIn(given, 'cancelled') ?? undefined,
    origin: text('origin') as ListRunsRequest['origin'],
    forkedFrom: text('forkedFrom'),
    parent: text('parent'),
    definitionHash: text('definitionHash'),
    idPrefix: text('id'),
    cursor: text('cursor'),
  };
}

/** The engine checks which statuses exist. */
function statusesIn(given: ToolArguments): ListRunsRequest['status'] {
  const status = valueIn(given, 'status');
  if (status === null) return undefined;
  if (Array.isArray(status) && status.every((one) => typeof one === 'string')) {
    return status as ListRunsRequest['status'];
  }
  throw new InvalidRequestError('status must be a list of strings');
}

function limitIn(given: ToolArguments): number {
  return wholeNumberIn(given, 'limit') ?? LIST_PAGE.usual;
}

function viewIn(given: ToolArguments): EventView {
  const named = textIn(given, 'view') ?? 'public';
  const view = EVENT_VIEWS.find((one) => one === named);
  if (view === undefined) throw new InvalidRequestError(`view must be one of ${EVENT_VIEWS.join(', ')}`);
  return view;
}

function cursorOf(next: string | null): { readonly nextCursor?: string } {
  return next === null ? {} : { nextCursor: next };
}
