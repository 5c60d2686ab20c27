/** A workflow with every type of flow, every kind of unit, every default and every field that a plan keeps. */
export const EVERY_NODE = `
apiVersion: flowgate/v1
kind: Workflow
metadata:
  id: every-node
  description: Everything that a plan can hold.
  labels: { team: finance }
spec:
  input: { type: object, required: [n] }
  policy:
    retry: { maxAttempts: 2, jitter: false }
    timeout: { workflowMs: 3600000 }
  units:
    - id: plain
      uses: work
      with: { n: '\${{ input.n }}', text: 'n is \${{ input.n }} of $\${{ }', list: [1, null, { deep: true }] }
      contextPolicy: { state: [n, output.gate], memory: { record: false }, hint: kept }
      policyOverrides: { retry: { maxAttempts: 7, backoff: fixed, baseMs: 1, maxMs: 2 }, timeout: { unitMs: 5 } }
    - { id: whole, uses: work, with: '\${{ state }}', if: input.n == 1, pause: after, config: { locale: de } }
    - { id: skipped, uses: work, if: 'false', pause: before }
    - { id: gate, uses: builtin.approval, config: { title: 'Pay \${{ input.n }}?' }, with: { onReject: continue } }
    - { id: keep, uses: builtin.set, config: { values: { kept: '\${{ input.n + 1 }}', fixed: 1 } } }
    - { id: stop, uses: builtin.fail, config: { message: 'no \${{ run.workflowId }}' } }
    - { id: mock, uses: builtin.mock, config: { response: { at: '\${{ input.n }}' } } }
    - { id: remote, uses: builtin.http, config: { endpoint: 'http://127.0.0.1:9/x' } }
    - { id: route, uses: route, with: { route: '2' } }
    - { id: left, uses: work }
    - { id: 2nd-prüfung, uses: work }
    - { id: pass, uses: work, with: { iteration: '\${{ iteration }}' } }
    - { id: each, uses: work, with: { of: '\${{ entry }}', at: '\${{ index }}' } }
    - { id: sum, uses: work }
    - { id: lead, uses: orchestrate, with: { rounds: 1, specialists: [coder, tester] } }
    - { id: coder, uses: work }
    - { id: tester, uses: work }
    - { id: unused, uses: work }
  flow:
    type: sequential
    order:
      - plain
      - whole
      - skipped
      - gate
      - keep
      - type: parallel
        units: [stop, { type: sequential, order: [mock, remote] }]
        reducer: sum
        failureStrategy: best-effort
      - type: parallel
        units: [left, 2nd-prüfung]
        maxConcurrency: 1
      - type: router
        routerUnit: route
        routes: { ' 10 ': left, '2': { type: sequential, order: [2nd-prüfung] }, 'a/b': mock }
        default: gate
      - type: switch
        cases:
          - { if: 'input.n > 5', do: left }
          - { if: 'outputs["2nd-prüfung"] != null', do: mock }
        default: plain
      - { type: loop, do: pass, until: 'iteration >= 1' }
      - { type: loop, unit: pass, maxIterations: 2, untilStateKey: done }
      - type: foreach
        items: '[input.n, "two"]'
        as: entry
        do: each
        collect: all
      - type: dag
        planner: plain
        executors: [left, coder, { type: sequential, order: [tester] }]
        dependencies: { coder: [left] }
        aggregator: sum
      - { type: dag, executors: [left], maxConcurrency: 3 }
      - { type: delegation, orchestrator: lead, specialists: [coder, tester] }
`;
