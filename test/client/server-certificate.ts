import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The certificate of a server that signed it itself, and its key, both PEM. */
export function serverCertificate(name: string): { readonly certificate: string; readonly key: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-server-'));
  const [certificate, key] = [path.join(folder, 'tls.crt'), path.join(folder, 'tls.key')];
  try {
    const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=${name}`;
    const names = `-addext subjectAltName=DNS:${name} -keyout ${key} -out ${certificate}`;
    execFileSync('openssl', `${request} ${names}`.split(' '), { stdio: 'ignore' });
    return { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
