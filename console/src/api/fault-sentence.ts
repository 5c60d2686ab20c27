import { FlowgateApiError, FlowgateUnreachableError } from 'flowgate-client/remote';

/** What went wrong, as a sentence that says what to do. */
export function faultSentence(error: unknown): string {
  if (error instanceof FlowgateUnreachableError) return 'The service cannot be reached at the moment.';
  if (!(error instanceof FlowgateApiError)) return error instanceof Error ? error.message : String(error);
  const wayOut = WAYS_OUT[error.code ?? ''];
  return wayOut === undefined ? error.message : `${error.error}. ${wayOut}`.replace(/\.\. /, '. ');
}

const WAYS_OUT: Readonly<Record<string, string>> = {
  unauthorized: 'Sign in again.',
  'unknown-run': 'The list of runs shows those that are kept.',
  'decided-gate': 'To decide otherwise, fork the run before this gate.',
};
