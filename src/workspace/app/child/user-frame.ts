import { fileURLToPath } from 'node:url';
import type { Frame } from '../message.ts';

let userCode: readonly string[] = [];

/** Sets the paths of the code of the user: files, and folders that end in a slash. */
export function setUserCode(places: readonly string[]): void {
  userCode = places;
}

/** Returns the topmost frame of a stack that is in code of the user. */
export function userFrame(stack: string | undefined): Frame | undefined {
  for (const line of (stack ?? '').split('\n')) {
    const match = /^ {4}at (?:.*\()?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/.exec(line);
    if (match?.[1] === undefined) continue;
    const location = match[1].replace(/\?.*$/, '');
    const file = location.startsWith('file://') ? fileURLToPath(location) : location;
    if (/[\\/]node_modules[\\/]/.test(file)) continue;
    if (userCode.some((place) => file === place || (place.endsWith('/') && file.startsWith(place))))
      return { file, line: Number(match[2]), column: Number(match[3]) };
  }
  return undefined;
}
