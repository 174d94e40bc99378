/** Maximum number of files that a message names. */
const namedFiles = 5;

/** `a, b and 3 more`. */
export function someFiles(files: readonly string[]): string {
  const rest = files.length - namedFiles;
  return rest <= 0 ? files.join(', ') : `${files.slice(0, namedFiles).join(', ')} and ${rest} more`;
}
