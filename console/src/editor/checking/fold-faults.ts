import { FlowgateApiError, type DocumentFault, type WorkflowCheck } from 'flowgate-client/remote';

/** Something that stands against a text. */
export interface Mark extends DocumentFault {
  /** A `doubt` is accepted, and probably not meant. */
  readonly kind: 'fault' | 'doubt';
}

/** What is known of a text, by the reader here and by the service. */
export interface Known {
  /** Null: the text is still being read. */
  readonly reader: readonly DocumentFault[] | null;
  /** Null: the service has not said yet. */
  readonly service: WorkflowCheck | null;
}

/**
 * What is shown of a text: what the reader has against it, since the service would say the same, and with nothing of that what
 * the service says. In the order of the text, faults first in a line.
 */
export function foldFaults({ reader, service }: Known): readonly Mark[] {
  const faults = reader !== null && reader.length > 0 ? reader : (service?.details ?? []);
  const doubts = faults === reader ? [] : doubtsOf(service);
  const marks = [
    ...faults.map((fault): Mark => ({ ...fault, kind: 'fault' })),
    ...doubts.map((doubt): Mark => ({ ...doubt, kind: 'doubt' })),
  ];
  return marks.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || rank(a) - rank(b) || (a.column ?? 0) - (b.column ?? 0),
  );
}

function doubtsOf(service: WorkflowCheck | null): readonly DocumentFault[] {
  if (service === null) return [];
  const { warnings, warningDetails } = service;
  return warningDetails ?? warnings.map((message) => ({ path: '', line: null, column: null, message }));
}

function rank({ kind }: Mark): number {
  return kind === 'fault' ? 0 : 1;
}

/** What a refused registration has against the text; nothing where it was refused for something else. */
export function faultsOfRefusal(error: unknown): readonly DocumentFault[] {
  const details = error instanceof FlowgateApiError ? error.details : [];
  return details.filter(
    (detail): detail is DocumentFault & typeof detail => typeof detail['message'] === 'string',
  );
}
