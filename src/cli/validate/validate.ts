import { readConfig } from '../../config/service/read-config.js';
import { runSettings } from '../../config/service/run-settings.js';
import { createEngine } from '../../engine/index.js';
import { EXIT } from '../exit-code.js';
import { workflowFiles } from '../input/workflow-files.js';
import { checkedFile } from './checked-file.js';
import { humanReport } from './human-report.js';
import { jsonReport } from './json-report.js';
import { sarifReport } from './sarif-report.js';

/** After so many faults the check stops: the files are probably the wrong ones. */
const MAX_FAULTS = 10_000;

export interface ValidateArguments {
  readonly files: readonly string[];
  readonly bind?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
  readonly sarif?: boolean | undefined;
}

export async function validate({ files, bind, json, sarif }: ValidateArguments): Promise<number> {
  const report = json === true ? jsonReport() : sarif === true ? sarifReport() : humanReport();
  const paths = await workflowFiles(files);
  const engine = engineThatChecks();
  let faults = 0;
  try {
    for (const path of paths) {
      if (faults >= MAX_FAULTS) break;
      const checked = await checkedFile(engine, path, bind);
      faults += checked.faults.length;
      await report.add(checked);
    }
    await report.end(faults >= MAX_FAULTS);
  } finally {
    await engine.close();
  }
  return faults === 0 ? EXIT.done : EXIT.failed;
}

/** An engine with the limits of a server with these settings; it is never opened. */
function engineThatChecks() {
  return createEngine(runSettings(readConfig(process.env).config));
}
