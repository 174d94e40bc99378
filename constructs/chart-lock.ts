import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The version of a chart that an app has, and where its archive is from. */
export interface ChartLock {
  /** Of the format of this file. */
  readonly lockVersion: 1;
  readonly name: string;
  readonly version: string;
  /** The address that the archive was downloaded from, or the folder or file that it was made of. */
  readonly source: string;
  /** The digest of the manifest in the registry. @default - the chart is not from a registry */
  readonly manifestDigest?: string;
  /** Of the archive, such as `sha256:…`. */
  readonly digest: string;
}

/** The `code` of the error for an archive that its lock does not describe. */
export const chartLockErrorCode = 'FLEETWRIGHT_CHART_LOCK';

/** An archive that its lock does not describe. */
export class ChartLockError extends Error {
  readonly code = chartLockErrorCode;
  /** One sentence without a full stop. */
  readonly problem: string;
  readonly hint: string;

  constructor(problem: string, hint: string) {
    super(`${problem}: ${hint}`);
    this.problem = problem;
    this.hint = hint;
  }
}

/** Returns the path of the lock of an archive: `chart.lock` for `chart.tgz`. */
export function lockFileOf(archive: string): string {
  return `${archive.replace(/(?:\.tgz|\.tar\.gz)$/, '')}.lock`;
}

/** Returns the digest of an archive, such as `sha256:…`. */
export function archiveDigest(archive: Uint8Array): string {
  return `sha256:${createHash('sha256').update(archive).digest('hex')}`;
}

/**
 * Verifies an archive against the lock beside it. An archive without a lock is what it is.
 *
 * @throws {ChartLockError} if the lock has another digest, or cannot be read
 */
export function checkLock(file: string, archive: Uint8Array): void {
  const lockFile = lockFileOf(file);
  let content: string;
  try {
    content = readFileSync(lockFile, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw new ChartLockError(`${lockFile} cannot be read`, 'import the chart again with --upgrade');
  }
  const expected = digestIn(content);
  if (expected === undefined)
    throw new ChartLockError(
      `${lockFile} is not the lock of a chart`,
      'restore the file from Git, or import the chart again with --upgrade',
    );
  const actual = archiveDigest(archive);
  if (actual !== expected)
    throw new ChartLockError(
      `${file} has the digest ${actual}, and ${lockFile} expects ${expected}`,
      'restore both files from Git, or import the chart again with --upgrade',
    );
}

function digestIn(content: string): string | undefined {
  try {
    const { lockVersion, digest } = JSON.parse(content) as { lockVersion?: unknown; digest?: unknown };
    return lockVersion === 1 && typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest)
      ? digest
      : undefined;
  } catch {
    return undefined;
  }
}
