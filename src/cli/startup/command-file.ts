/**
 * The file with the code of all commands, beside the program. Its name has a hash of its content. `npm run build` replaces this
 * module.
 */
export const commandFile: string = 'built by npm run build';
