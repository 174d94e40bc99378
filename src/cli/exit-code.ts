/**
 * Exit codes of every command. `changes` is that of `plan --detailed-exit-code`, and of a step of `promote`. `waiting` is that of a
 * promotion that waits for a gate.
 */
export const exitCode = { clean: 0, findings: 1, failure: 2, changes: 3, waiting: 4 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/**
 * The exit code that shells report for programs that wrote to a closed pipe: 128 and the number of SIGPIPE, which
 * Node ignores.
 */
export const brokenPipeCode = 141;
