import { MissingPackagesError } from '../errors/service-errors.js';

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

/** Throws what to install where the service cannot be loaded for lack of a package. */
export function refuseMissingPeers(): void {
  const missing = PEERS_OF_THE_SERVICE.filter((name) => !isInstalled(name));
  if (missing.length > 0) throw new MissingPackagesError(missing);
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
