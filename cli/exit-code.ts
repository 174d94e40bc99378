/** Exit codes of every command. */
export const exitCode = { clean: 0, findings: 1, failure: 2 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
