/**
 * Returns a command line in the forms that the parser reads: `help COMMAND` as `COMMAND --help`, and `-oyaml` as `-o yaml`. The parser
 * would read the latter as several options of one letter.
 */
export function writtenArguments(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  const options = end === -1 ? argv : argv.slice(0, end);
  const rest = end === -1 ? [] : argv.slice(end);
  const words = options.flatMap((word) => (/^-o[^=]/.test(word) ? ['-o', word.slice(2)] : [word]));
  const [first, ...others] = words;
  return [...(first === 'help' ? [...others, '--help'] : words), ...rest];
}
