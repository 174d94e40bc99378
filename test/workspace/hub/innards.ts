/** What a user must never see: stacks, locations in the code, and what JavaScript prints of mistakes in it. */
export const innards =
  /^\s+at .+:\d+|unexpected error|internal error|Cannot read propert|Cannot convert|is not (?:a function|iterable)|Maximum call stack|\[object Object\]|undefined/m;
