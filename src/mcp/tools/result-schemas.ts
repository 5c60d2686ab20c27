import type { JsonObject } from '../../engine/index.js';
import { RUN_STATUSES } from '../../engine/vocabulary.js';

/** JSON Schemas of the results of tools; clients may validate against them, so none is stricter than the interface. */
const INSTANT = { type: 'number', description: 'Epoch milliseconds' } as const;
const NUMBER_OR_NULL = { type: ['number', 'null'] } as const;
const TEXT = { type: 'string' } as const;
const TEXT_OR_NULL = { type: ['string', 'null'] } as const;
const TEXTS = { type: 'array', items: TEXT } as const;
const STATUS = { type: 'string', enum: RUN_STATUSES } as const;
const NEXT_CURSOR = { type: 'string', description: 'Only when there are more' } as const;
const OF_RUN = { runId: TEXT, workflowId: TEXT } as const;

export const RUN_RECORD: JsonObject = {
  type: 'object',
  properties: {
    ...OF_RUN,
    status: STATUS,
    createdAt: INSTANT,
    updatedAt: INSTANT,
    error: { type: 'string', description: 'Only when failed' },
    cancelled: { type: 'boolean', description: 'Only when somebody cancelled it: its status is failed then' },
    result: {
      type: 'object',
      description: 'Only when completed or paused',
      properties: {
        runId: TEXT,
        completedUnits: TEXTS,
        state: { type: 'object', description: 'The input, and output.<unitId> of every unit' },
        messages: { type: 'array', items: { type: 'object' } },
        duration: { type: 'number', description: 'Milliseconds, not counting pauses' },
        tokenUsage: { type: 'number' },
        cost: { type: 'number' },
        output: { description: 'What spec.output gave, if the workflow has one' },
      },
      required: ['runId', 'completedUnits', 'state', 'messages', 'duration', 'tokenUsage', 'cost'],
    },
    omitted: {
      type: 'object',
      description: 'What is left out of a long record; it is whole over HTTP',
      properties: {
        state: { ...TEXTS, description: 'Keys of the state' },
        messages: { type: 'number' },
        completedUnits: { type: 'number' },
        path: { type: 'string', description: 'Where the whole record is read' },
      },
      required: ['state', 'messages', 'completedUnits', 'path'],
    },
  },
  required: ['runId', 'workflowId', 'status', 'createdAt', 'updatedAt'],
};

const SUMMARY = {
  workflowId: TEXT,
  description: { type: ['string', 'null'] },
  labels: { type: 'object', additionalProperties: TEXT },
} as const;

export const WORKFLOW_PAGE: JsonObject = {
  type: 'object',
  properties: {
    workflows: {
      type: 'array',
      items: { type: 'object', properties: SUMMARY, required: ['workflowId', 'description', 'labels'] },
    },
    nextCursor: NEXT_CURSOR,
  },
  required: ['workflows'],
};

export const WORKFLOW_DETAILS: JsonObject = {
  type: 'object',
  properties: {
    ...SUMMARY,
    inputSchema: { type: ['object', 'null'], description: 'JSON Schema of the input; null: any object' },
    units: TEXTS,
    flowType: TEXT,
    definitionHash: TEXT,
    registeredAt: INSTANT,
    annotations: { type: 'object' },
  },
  required: ['workflowId', 'description', 'labels', 'inputSchema', 'units', 'flowType'],
};

const GATE = {
  gateId: { type: 'integer' },
  unitId: TEXT,
  title: TEXT,
  titleCut: { type: 'boolean', description: 'The title is longer, and cut here' },
  openedAt: INSTANT,
  dueAt: { ...INSTANT, description: 'When its time is up; absent: it waits as long as it takes' },
} as const;

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
      status: STATUS,
      createdAt: INSTANT,
      updatedAt: INSTANT,
      endedAt: NUMBER_OR_NULL,
      duration: { ...NUMBER_OR_NULL, description: 'Milliseconds, not counting pauses' },
      tokenUsage: NUMBER_OR_NULL,
      cost: NUMBER_OR_NULL,
      labels: { type: 'object', additionalProperties: TEXT },
      origin: TEXT,
      forkedFrom: TEXT_OR_NULL,
      parentRunId: TEXT_OR_NULL,
      definitionHash: TEXT,
      cancelled: { type: 'boolean' },
      error: { ...TEXT_OR_NULL, description: 'Why it failed' },
      compensation: {
        type: ['object', 'null'],
        description: 'What became of what other units undo: {status, done, failed, unknown}',
      },
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
