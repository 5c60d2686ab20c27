import { MissingPackagesError } from '../../errors/service-errors.js';
import type { FlowgateConfig } from './settings.js';

/** The peer dependencies that the service needs. Hosts that use the package as a library may lack optional ones. */
const PEERS_OF_THE_SERVICE = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  'class-transformer',
  'class-validator',
  'reflect-metadata',
  'rxjs',
] as const;

/** The packages that sending spans needs, and which of their versions belong together. */
const PEERS_OF_TRACING: Readonly<Record<string, string>> = {
  '@opentelemetry/exporter-trace-otlp-http': '0.223',
  '@opentelemetry/resources': '2',
  '@opentelemetry/sdk-trace': '2',
};

/** What speaks to PostgreSQL. */
const PEERS_OF_POSTGRES: Readonly<Record<string, string>> = { pg: '8' };

/** Throws an error that says what to install if a package is missing that the service needs as it is configured. */
export function refuseMissingPeers({
  otlpEndpoint,
  store,
}: Pick<FlowgateConfig, 'otlpEndpoint' | 'store'>): void {
  const missing: string[] = PEERS_OF_THE_SERVICE.filter((name) => !isInstalled(name));
  if (missing.length > 0) throw new MissingPackagesError(missing);
  if (store === 'postgres') refuseWithout(PEERS_OF_POSTGRES, 'FLOWGATE_STORE=postgres');
  if (otlpEndpoint !== null) refuseWithout(PEERS_OF_TRACING, 'OTEL_EXPORTER_OTLP_ENDPOINT');
}

function refuseWithout(peers: Readonly<Record<string, string>>, setting: string): void {
  const missing = Object.entries(peers).flatMap(([name, version]) =>
    isInstalled(name) ? [] : [`${name}@${version}`],
  );
  if (missing.length > 0) throw new MissingPackagesError(missing, setting);
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
