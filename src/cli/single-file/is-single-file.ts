/** A parameter of the program. */
declare const runsAlone: boolean;

/** Whether this is the single file, running alone. The command of the package runs the same code. */
export const isSingleFile: boolean = runsAlone;
