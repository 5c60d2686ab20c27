import { MissingPackagesError } from '../errors/service-errors.js';
import type { FlowgateConfig } from './flowgate-config.js';

/** The peer dependencies of the package that its service runs on. Whoever uses it as a library may lack optional ones. */
const PEERS_OF_THE_SERVICE = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  'class-transformer',
  'class-validator',
  'reflect-metadata',
  'rxjs',
] as const;

/** Those that it needs to send spans, and which of their versions belong together. */
const PEERS_OF_TRACING: Readonly<Record<string, string>> = {
  '@opentelemetry/exporter-trace-otlp-http': '0.223',
  '@opentelemetry/resources': '2',
  '@opentelemetry/sdk-trace': '2',
};

/** Throws what to install where the service, as it is configured, cannot be loaded for lack of a package. */
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
