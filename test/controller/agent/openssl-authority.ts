import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A certificate authority of openssl's, so that what we ask for is read and signed by others. */
export class OpensslAuthority {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-authority-'));

  constructor() {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'ca.key'];
    this.#run('req', '-x509', ...key, '-subj', '/CN=authority', '-days', '3650', '-out', 'ca.crt');
  }

  /** The certificate of a request, both in PEM. */
  sign(request: string, days = 10): string {
    writeFileSync(path.join(this.#folder, 'request'), request);
    const authority = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'];
    this.#run(
      'x509',
      '-req',
      '-in',
      'request',
      ...authority,
      '-days',
      String(days),
      '-copy_extensions',
      'copy',
      '-out',
      'crt',
    );
    return readFileSync(path.join(this.#folder, 'crt'), 'utf8');
  }

  /** What openssl prints of a request, in its own words. */
  describe(request: string): string {
    writeFileSync(path.join(this.#folder, 'request'), request);
    return this.#run('req', '-in', 'request', '-noout', '-text', '-verify', '-nameopt', 'RFC2253');
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #run(...args: readonly string[]): string {
    return execFileSync('openssl', args, {
      cwd: this.#folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }
}
