import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** As which user `tools/postgres` runs a server where it may not be root. */
const NOBODY = 65_534;

/** A certificate that signed itself, and its key, in files that a server started by `tools/postgres` may read. */
export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
  remove(): void;
}

/** For an address of this machine, and for no name. Made by the openssl that Debian's PostgreSQL brings. */
export function makeCertificate(address = '127.0.0.1'): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'flowgate-certificate-'));
  const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const names = ['-subj', '/CN=flowgate', '-addext', `subjectAltName=IP:${address}`];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', certificateFile, '-days', '2', ...names], {
    stdio: 'ignore',
  });
  // A server takes no key that others could read.
  chmodSync(keyFile, 0o600);
  if (process.getuid?.() === 0)
    for (const path of [folder, certificateFile, keyFile]) chownSync(path, NOBODY, NOBODY);
  return {
    certificateFile,
    keyFile,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
