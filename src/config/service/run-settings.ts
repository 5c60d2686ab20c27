import type { FlowgateConfig } from './settings.js';

const NAMES = [
  'apiGroups',
  'maxResponseBytes',
  'maxStateBytes',
  'maxLogBytes',
  'maxNesting',
  'maxUnitMs',
  'maxWorkflowMs',
  'maxDescendants',
  'allowedAddresses',
  'deniedAddresses',
] as const satisfies readonly (keyof FlowgateConfig)[];

/** The settings that decide which documents are accepted and how their runs behave, in a service and on the command line. */
export type RunSettings = Pick<FlowgateConfig, (typeof NAMES)[number]>;

export function runSettings(config: FlowgateConfig): RunSettings {
  return Object.fromEntries(NAMES.map((name) => [name, config[name]])) as unknown as RunSettings;
}
