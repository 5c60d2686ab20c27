import type { JsonObject } from '../../engine/index.js';

/** JSON Schemas of the results of the tools that list; clients may validate against them. */
const INSTANT = { type: 'number', description: 'Epoch milliseconds' } as const;
const NUMBER_OR_NULL = { type: ['number', 'null'] } as const;
const TEXT = { type: 'string' } as const;
const TEXT_OR_NULL = { type: ['string', 'null'] } as const;
const NEXT_CURSOR = { type: 'string', description: 'Only when there are more' } as const;

const GATE = {
  gateId: { type: 'integer' },
  unitId: TEXT,
  title: TEXT,
  titleCut: { type: 'boolean', description: 'The title is longer, and cut here' },
  openedAt: INSTANT,
} as const;
const OF_RUN = { runId: TEXT, workflowId: TEXT } as const;

function pageOf(name: string, item: JsonObject, more: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: { [name]: { type: 'array', items: item }, ...more },
    required: [name],
  };
}

export const RUN_PAGE: JsonObject = pageOf(
  'runs',
  {
    type: 'object',
    properties: {
      ...OF_RUN,
      status: { type: 'string', enum: ['pending', 'running', 'paused', 'completed', 'failed'] },
      createdAt: INSTANT,
      updatedAt: INSTANT,
      endedAt: NUMBER_OR_NULL,
      duration: { ...NUMBER_OR_NULL, description: 'Milliseconds, not counting pauses' },
      tokenUsage: NUMBER_OR_NULL,
      cost: NUMBER_OR_NULL,
      labels: { type: 'object', additionalProperties: TEXT },
      origin: TEXT,
      forkedFrom: TEXT_OR_NULL,
      definitionHash: TEXT,
      cancelled: { type: 'boolean' },
      error: { ...TEXT_OR_NULL, description: 'Why it failed' },
      waitingFor: { ...TEXT_OR_NULL, description: 'gate: a decision; resume: somebody who lets it go on' },
      openGates: { type: 'array', items: { type: 'object', properties: GATE } },
    },
    required: ['runId', 'workflowId', 'status'],
  },
  { nextCursor: NEXT_CURSOR },
);

export const GATE_PAGE: JsonObject = pageOf(
  'gates',
  {
    type: 'object',
    properties: {
      ...GATE,
      ...OF_RUN,
      definitionHash: TEXT,
      path: { ...TEXT, description: 'Where it stands in the document: a JSON pointer' },
      description: TEXT_OR_NULL,
      descriptionCut: { type: 'boolean', description: 'The description is longer, and cut here' },
      payload: { description: 'What the person is shown' },
      payloadCut: { type: 'boolean', description: 'The payload is too long to be listed' },
      onReject: TEXT,
      decision: { type: 'object', description: 'Only when decided' },
    },
    required: ['gateId', 'runId', 'workflowId'],
  },
  { open: { type: 'integer', description: 'How many wait' }, nextCursor: NEXT_CURSOR },
);

export const EVENT_PAGE: JsonObject = pageOf(
  'events',
  {
    type: 'object',
    properties: {
      ...OF_RUN,
      seq: { type: 'integer' },
      at: INSTANT,
      type: TEXT,
      data: { type: 'object' },
      cut: { type: 'array', items: { type: 'object' }, description: 'Long values that were left out' },
    },
    required: ['seq', 'at', 'type', 'data'],
  },
  { next: { type: 'integer', description: 'afterSeq of the next page; only when there are more' } },
);
