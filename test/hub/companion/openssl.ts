import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Runs openssl in a folder with some files, and returns what it prints. */
export function openssl(files: Readonly<Record<string, string>>, ...args: readonly string[]): string {
  return inFolder(files, (folder) =>
    execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }),
  );
}

/** The commands of openssl that make a private key, by what its file then is. */
export const keyCommands = {
  'RSA in PKCS #1': ['genrsa', '-traditional', '-out', 'key.pem', '2048'],
  'RSA in PKCS #8': ['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:3072', '-out', 'key.pem'],
  'ECDSA P-256 in SEC 1': ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', 'key.pem'],
  'ECDSA P-384 in PKCS #8': [
    'genpkey',
    '-algorithm',
    'EC',
    '-pkeyopt',
    'ec_paramgen_curve:P-384',
    '-out',
    'key.pem',
  ],
  Ed25519: ['genpkey', '-algorithm', 'ED25519', '-out', 'key.pem'],
} as const;

/** An authority that openssl made: data of its Secret, and its certificate in PEM. */
export interface MadeAuthority {
  readonly data: Readonly<Record<'tls.crt' | 'tls.key', string>>;
  readonly certificate: string;
}

/** Has openssl make a self-signed authority. */
export function makeAuthority(command: readonly string[], name: string): MadeAuthority {
  return inFolder({}, (folder) => {
    const run = (...args: readonly string[]): void => {
      execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
    };
    run(...command);
    run(
      'req',
      '-x509',
      '-new',
      '-key',
      'key.pem',
      '-subj',
      `/O=Fleetwright/CN=${name}`,
      '-days',
      '30',
      '-out',
      'ca.pem',
      '-addext',
      'keyUsage=critical,keyCertSign,cRLSign',
    );
    const [certificate, key] = [
      readFileSync(path.join(folder, 'ca.pem')),
      readFileSync(path.join(folder, 'key.pem')),
    ];
    return {
      data: { 'tls.crt': certificate.toString('base64'), 'tls.key': key.toString('base64') },
      certificate: certificate.toString(),
    };
  });
}

function inFolder<T>(files: Readonly<Record<string, string>>, run: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-openssl-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
