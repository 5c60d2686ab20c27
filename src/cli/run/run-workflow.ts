import type { FlowgateConfig } from '../../config/service/settings.js';
import { readConfig } from '../../config/service/read-config.js';
import { runSettings } from '../../config/service/run-settings.js';
import { refuseUnusableFolders } from '../../config/service/usable-folders.js';
import { createEngine, EnvironmentSecrets, type Engine, type JsonObject } from '../../engine/index.js';
import { YamlLoadError, YamlValidationError } from '../../errors/document-errors.js';
import { UsageError } from '../command-errors.js';
import { EXIT, exitCodeOf } from '../exit-code.js';
import { bindingsFor } from '../input/bindings.js';
import { readInput } from '../input/read-json.js';
import { nameOf, readText, STDIN } from '../input/read-text.js';
import { Interruption } from '../terminal/interruption.js';
import { isForPeople } from '../terminal/for-people.js';
import { note, print, record as printRecord } from '../terminal/output.js';
import { paintFor } from '../terminal/paint.js';
import { shellWords } from '../terminal/shell-words.js';
import { aboutFile } from '../validate/human-report.js';
import { GateKeeper, type GatePolicy } from './gate-keeper.js';
import { followToItsStop } from './follow-to-its-stop.js';
import { nextSteps, type NextStep } from './next-steps.js';
import { summaryLines } from './run-summary.js';
import { viewOf } from './run-view.js';
import type { SummarisedRun } from './summarised-run.js';

const LONG_MS = 2 ** 30;

export interface RunArguments extends GatePolicy {
  readonly file: string;
  readonly input?: string | undefined;
  readonly bind?: readonly string[] | undefined;
  readonly pretty?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/** Registers the document in an engine of this process, runs it to its end, and prints its record. */
export async function runWorkflow(given: RunArguments): Promise<number> {
  const { file, quiet = false, pretty = false } = given;
  if (file === STDIN && given.input === STDIN)
    throw new UsageError(
      'The document and --input cannot both come from stdin: name a file for one of them.',
    );
  const yaml = await readText(file);
  const bindings = await bindingsFor(file, given.bind);
  const input = await readInput(given.input);
  const { config } = readConfig(process.env);
  await refuseUnusableFolders({ secretsDir: config.secretsDir, workflowsDir: null });
  const interruption = new Interruption();
  const engine = engineWith(config);
  // The engine's timers do not keep the process alive, because most hosts do not want that.
  const alive = setInterval(() => undefined, LONG_MS);
  try {
    await engine.open();
    const workflowId = await registered(engine, { file, yaml, bindings });
    if (workflowId === null) return EXIT.failed;
    // The input comes from JSON.parse.
    const { runId } = await engine.runs.start({ workflowId, input: input as JsonObject });
    const mayAsk = !quiet && file !== STDIN && given.input !== STDIN;
    const keeper = new GateKeeper(given, mayAsk ? process.stdin : null, process.stderr);
    const view = viewOf({ engine, workflowId, runId }, process.stderr, quiet);
    const followed = { engine, workflowId, runId, signal: interruption.signal };
    const record = await followToItsStop(followed, view, keeper).finally(() => keeper.close());
    if (quiet || pretty || !isForPeople(process.stdout)) await printRecord(record, pretty);
    else await printSummary(await engine.runs.full({ workflowId, runId }), given);
    return exitCodeOf(record.status);
  } finally {
    clearInterval(alive);
    interruption.stop();
    await engine.close();
  }
}

async function printSummary(run: SummarisedRun, given: RunArguments): Promise<void> {
  const paint = paintFor(process.stdout);
  const commandFor = (step: NextStep): string | null => againCommand(step, given);
  await print(summaryLines(run, nextSteps(run), { paint, isWide: false, commandFor }).join('\n'));
}

/** The run ends with the process, so what can be done next is to run it once more; its budget stands in its document. */
function againCommand(step: NextStep, { file, input, bind = [] }: RunArguments): string | null {
  const isBudget = step.do === 'resume' && (step.maxTokens !== null || step.maxCost !== null);
  if ((step.do !== 'approve' && step.do !== 'resume') || isBudget) return null;
  if (file === STDIN || input === STDIN) return null;
  const options = [
    ...(input === undefined ? [] : ['--input', input]),
    ...bind.flatMap((one) => ['--bind', one]),
  ];
  const decision = step.do === 'approve' ? ['--approve'] : [];
  return shellWords(['flowgate', 'run', file, ...options, ...decision]);
}

/** Null: the document has faults, and they have been printed. */
async function registered(
  engine: Engine,
  document: { readonly file: string; readonly yaml: string; readonly bindings: object | null },
): Promise<string | null> {
  const { file, yaml, bindings } = document;
  try {
    const { workflowId, warnings } = await engine.workflows.register({ yaml, bindings });
    for (const warning of warnings) note(`warning: ${warning}`);
    return workflowId;
  } catch (error) {
    if (!(error instanceof YamlValidationError) && !(error instanceof YamlLoadError)) throw error;
    const found = { workflowId: null, warnings: [], warningDetails: [], unanswered: [], type: null };
    const checked = { ...found, file: nameOf(file), faults: error.details, text: yaml };
    process.stderr.write(`${aboutFile(checked, paintFor(process.stderr)).join('\n')}\n`);
    return null;
  }
}

/** An engine with the environment's settings for units, documents and runs. Its store is in memory. */
function engineWith(config: FlowgateConfig): Engine {
  return createEngine({
    ...runSettings(config),
    secrets: new EnvironmentSecrets({ environment: process.env, folder: config.secretsDir }),
    // After a decision the command continues to follow the run, and Ctrl-C does not wait for units.
    resumeWaitMs: 0,
    shutdownGraceMs: 0,
  });
}
