import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What a compose file says of a service; of its healthcheck what an engine would execute. */
export interface ComposeService {
  readonly build: string;
  readonly init: boolean;
  readonly ports: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly read_only: boolean;
  readonly tmpfs: readonly string[];
  readonly cap_drop: readonly string[];
  readonly stop_grace_period: string;
  readonly restart: string;
  readonly healthcheck: { readonly test: readonly string[] };
}

export interface ComposeFile {
  readonly services: { readonly flowgate: ComposeService };
  readonly volumes: Readonly<Record<string, unknown>>;
}

export function readComposeFile(): ComposeFile {
  return parse(readFileSync('compose.yaml', 'utf8')) as ComposeFile;
}

/** As the engine is given it: `$$` is how a compose file writes `$`. */
export function healthCheckOf({ healthcheck }: ComposeService): readonly string[] {
  const [kind, ...command] = healthcheck.test.map((word) => word.replaceAll('$$', '$'));
  if (kind !== 'CMD') throw new Error('A health check without a shell, please: there may be none.');
  return command;
}
