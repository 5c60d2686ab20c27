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

/** Throws an error that says what to install if a package is missing that the service needs as it is configured. */
export function refuseMissingPeers({ otlpEndpoint }: Pick<FlowgateConfig, 'otlpEndpoint'>): void {
  const missing: string[] = PEERS_OF_THE_SERVICE.filter((name) => !isInstalled(name));
  if (missing.length > 0) throw new MissingPackagesError(missing);
  if (otlpEndpoint === null) return;
  for (const [name, version] of Object.entries(PEERS_OF_TRACING)) {
    if (!isInstalled(name)) missing.push(`${name}@${version}`);
  }
  if (missing.length > 0) throw new MissingPackagesError(missing, 'OTEL_EXPORTER_OTLP_ENDPOINT');
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
