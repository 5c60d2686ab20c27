/** Three units in a row that answer at once: what is measured is the engine, not the units. */
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
