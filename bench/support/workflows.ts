/** Three units in a row that answer at once: what is measured is the engine, not the units. `UNIT` is their name. */
export const threeUnits = `
apiVersion: flowgate/v1
kind: Workflow
metadata: { id: three }
spec:
  units:
    - { id: a, uses: UNIT, config: { response: { ok: true } } }
    - { id: b, uses: UNIT, config: { response: { ok: true } } }
    - { id: c, uses: UNIT, config: { response: { ok: true } } }
  flow: { type: sequential }
`;

/** How long each of the four takes. */
export const SLOW_UNIT_MS = 50;

/** Four units at once that take a while: what is measured is how many are under way. `UNIT` is their name. */
export const fourAtOnce = `
apiVersion: flowgate/v1
kind: Workflow
metadata: { id: four }
spec:
  units:
    - { id: a, uses: UNIT }
    - { id: b, uses: UNIT }
    - { id: c, uses: UNIT }
    - { id: d, uses: UNIT }
  flow: { type: parallel, units: [a, b, c, d] }
`;

/** What starts one of its runs over HTTP, and waits for the end. */
export const startThree = { input: { amount: 5 }, sync: true };

/** About what a remote unit is sent: the floors send the same. */
export const unitBody = {
  input: { amount: 5 },
  state: { 'output.a': { ok: true } },
  context: {
    workflowId: 'three',
    runId: '01a1f0c2-7b3e-7c00-8000-000000000000',
    unitId: 'b',
    executionId: '01a1f0c2-7b3e-7c00-8000-000000000000:2',
    attempt: 1,
    traceId: '0af7651916cd43dd8448eb211c80319c',
    deadlineAt: 1_800_000_000_000,
    config: {},
    contextPolicy: {},
  },
};
