import type { JsonObject } from '../../engine/index.js';

/** JSON Schemas of the results of tools; clients may validate against them, so none is stricter than the interface. */
const TEXTS = { type: 'array', items: { type: 'string' } } as const;

export const RUN_RECORD: JsonObject = {
  type: 'object',
  properties: {
    runId: { type: 'string' },
    workflowId: { type: 'string' },
    status: { type: 'string', enum: ['pending', 'running', 'paused', 'completed', 'failed'] },
    createdAt: { type: 'number', description: 'Epoch milliseconds' },
    updatedAt: { type: 'number', description: 'Epoch milliseconds' },
    error: { type: 'string', description: 'Only when failed' },
    cancelled: { type: 'boolean', description: 'Only when somebody cancelled it: its status is failed then' },
    result: {
      type: 'object',
      description: 'Only when completed or paused',
      properties: {
        runId: { type: 'string' },
        completedUnits: TEXTS,
        state: { type: 'object', description: 'The input, and output.<unitId> of every unit' },
        messages: { type: 'array', items: { type: 'object' } },
        duration: { type: 'number', description: 'Milliseconds, not counting pauses' },
        tokenUsage: { type: 'number' },
        cost: { type: 'number' },
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
  workflowId: { type: 'string' },
  description: { type: ['string', 'null'] },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
} as const;

export const WORKFLOW_PAGE: JsonObject = {
  type: 'object',
  properties: {
    workflows: {
      type: 'array',
      items: { type: 'object', properties: SUMMARY, required: ['workflowId', 'description', 'labels'] },
    },
    nextCursor: { type: 'string', description: 'Only when there are more' },
  },
  required: ['workflows'],
};

export const WORKFLOW_DETAILS: JsonObject = {
  type: 'object',
  properties: {
    ...SUMMARY,
    inputSchema: { type: ['object', 'null'], description: 'JSON Schema of the input; null: any object' },
    units: TEXTS,
    flowType: { type: 'string' },
    definitionHash: { type: 'string' },
    registeredAt: { type: 'number', description: 'Epoch milliseconds' },
    annotations: { type: 'object' },
  },
  required: ['workflowId', 'description', 'labels', 'inputSchema', 'units', 'flowType'],
};
