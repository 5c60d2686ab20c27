import { jsonText, print } from '../terminal/output.js';
import type { CheckedFile } from './checked-file.js';
import type { Report } from './report.js';

/** The report for programs: `{ ok, files: [{ file, ok, workflowId, type, faults, warnings, warningDetails, unanswered }] }`. */
export function jsonReport(): Report {
  const files: object[] = [];
  let ok = true;
  return {
    async add({ file, workflowId, type, faults, warnings, warningDetails, unanswered }: CheckedFile) {
      const isValid = workflowId !== null;
      ok &&= isValid;
      files.push({ file, ok: isValid, workflowId, type, faults, warnings, warningDetails, unanswered });
    },
    async end(isCut) {
      await print(jsonText({ ok, files, ...(isCut ? { isCut } : {}) }, true));
    },
  };
}
