/** The releases of Node that the package is installed and run on. */
export const releases = [20, 22, 24] as const;
