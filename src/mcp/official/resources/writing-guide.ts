/** A whole document, as a short example; a test registers and runs it. */
export const exampleDocument = `apiVersion: flowgate/v1
kind: Workflow
metadata:
  id: invoice-approval
  description: Pays an invoice once a person has agreed.
spec:
  input:
    type: object
    required: [invoiceId, amount]
    properties:
      invoiceId: { type: string }
      amount: { type: number, minimum: 0 }
  units:
    - id: extract
      uses: builtin.mock
      config: { response: { total: '\${{ input.amount }}' } }
    - id: approve
      uses: builtin.approval
      config:
        title: Pay \${{ outputs.extract.total }} for \${{ input.invoiceId }}?
    - id: pay
      uses: builtin.mock
      with: { total: '\${{ outputs.extract.total }}' }
  flow:
    type: sequential
    order: [extract, approve, pay]
`;

/** What a model must know to write an acceptable document. */
export const writingGuide = `A Flowgate workflow is one YAML document:

\`\`\`yaml
${exampleDocument}\`\`\`

Rules:
- apiVersion is flowgate/v1, kind is Workflow, metadata.id names the workflow. metadata.description says what it is for.
- spec.input is a JSON Schema of the run's input; leave it out to take any object.
- spec.units lists the units, each with a unique id and uses. uses names in-process code, a remote unit (an HTTP endpoint that the bindings of the registration name), or a built-in: builtin.approval (a person decides: title, description, payload, onReject: fail or continue), builtin.wait (one of duration: an ISO 8601 time such as PT30S or P2D, durationMs, until: an RFC 3339 instant), builtin.workflow (workflowId; its with is the input of the child run, its output the child's final state), builtin.set (values: key to value), builtin.mock (response; a stand-in for tests), builtin.http (endpoint), builtin.mcp (url, tool; its with is the arguments), builtin.memory-search (query, topK), builtin.memory-put (content, metadata), builtin.fail (message). Take builtin.mock for what does not exist yet.
- with is the input of a unit, config its fixed settings. A unit may have if (an expression), pause: before or after, and policyOverrides (retry.maxAttempts, timeout.unitMs).
- spec.policy is for all units: retry, timeout, budget (maxTokens, maxCost, onExceed: fail or pause), concurrency, circuitBreaker (failureThreshold, resetMs), rateLimit (maxRequestsPerMinute). spec.onCancel is a list of units that run when a run is cancelled.
- spec.flow says in which order units run. Wherever a unit's id may stand, a flow may stand:
  - { type: sequential, order: [a, b] }
  - { type: parallel, units: [a, b], reducer: c, failureStrategy: fail-fast | collect-errors | best-effort }
  - { type: router, routerUnit: a, routes: { key: b }, default: c }
  - { type: switch, cases: [{ if: 'input.amount > 100', do: a }], default: b }
  - { type: loop, do: a, maxIterations: 5, until: 'state.score >= 3' }
  - { type: foreach, items: 'input.list', as: item, do: a }
  - { type: dag, executors: [a, b], dependencies: { b: [a] }, aggregator: c }
  - { type: delegation, orchestrator: a, specialists: [b, c] }
- Expressions are CEL: input.x, state.x, outputs.unitId, outputs["my-unit"], has(input.x), iteration, item. if, until and items are expressions as they stand; in strings of with and of a built-in's config write \${{ … }}.
- A missing field is an error: ask with has() first. There is no time and no randomness.

Answer with the document alone. Where the tools validate_workflow and register_workflow are there, check the document with the first and mend what it names before you use the second.`;
