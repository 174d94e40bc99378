/** Whether the working folder of the process exists and may be read. Most of Node fails without one. */
export function hasWorkingFolder(): boolean {
  try {
    process.cwd();
    return true;
  } catch {
    return false;
  }
}
