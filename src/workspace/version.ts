import { createRequire } from 'node:module';

/** The package's own version. */
export const version: string = readVersion();

function readVersion(): string {
  // The package refers to itself by name, so that this works from the sources and from build/ alike.
  const manifest: unknown = createRequire(import.meta.url)('fleetwright/package.json');
  if (
    typeof manifest === 'object' &&
    manifest !== null &&
    'version' in manifest &&
    typeof manifest.version === 'string'
  ) {
    return manifest.version;
  }
  throw new Error('package.json states no version');
}
