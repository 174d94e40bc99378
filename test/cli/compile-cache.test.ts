import { expect, test } from 'vitest';
import { compileCacheFolder } from '../../src/cli/startup/compile-cache.ts';

test('compiled code is kept where the system keeps caches of the user', () => {
  const xdg = { XDG_CACHE_HOME: '/caches' };
  expect(compileCacheFolder(xdg, 'linux', '/home/a')).toBe('/caches/fleetwright');
  expect(compileCacheFolder(xdg, 'darwin', '/Users/a')).toBe('/caches/fleetwright');
  expect(compileCacheFolder({}, 'linux', '/home/a')).toBe('/home/a/.cache/fleetwright');
  expect(compileCacheFolder({}, 'darwin', '/Users/a')).toBe('/Users/a/Library/Caches/fleetwright');
  expect(compileCacheFolder({ LOCALAPPDATA: '/local' }, 'win32', '/users/a')).toBe('/local/fleetwright');
});

test('a relative folder is ignored, because it would be in the working folder', () => {
  expect(compileCacheFolder({ XDG_CACHE_HOME: 'caches' }, 'linux', '/home/a')).toBe(
    '/home/a/.cache/fleetwright',
  );
});
