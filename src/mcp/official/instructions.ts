/** The instructions about the whole server, which a model gets once. */
export const instructions = [
  'Flowgate runs workflows: documents of units and a flow between them. Runs are durable and survive crashes.',
  'list_workflows tells which there are and describe_workflow which input one takes; run_workflow with sync waits for the run.',
  'A run that is "paused" at a gate waits for a person: ask them, never decide for them. A "running" one goes on: read it with get_run.',
  'A "failed" run says why in "error"; resume_run tries it again from its last checkpoint.',
].join('\n');
