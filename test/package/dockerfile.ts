/** An image as a Dockerfile describes it, as far as ours do: one stage, files by their names, commands as lists. */
export interface ImageDescription {
  /** The base, with the defaults of its arguments. */
  readonly base: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Files of the build context, with where they are in the image and their mode. */
  readonly files: readonly { readonly source: string; readonly target: string; readonly mode: number }[];
  /** Commands that the build runs in a shell, in order, before the files are copied. */
  readonly runs: readonly string[];
  /** Where links of the image lead, by their paths. */
  readonly links: ReadonlyMap<string, string>;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
}

/** @throws Error on an instruction that it does not know, so that no description leaves one out. */
export function describeImage(dockerfile: string): ImageDescription {
  const args = new Map<string, string>();
  const labels: Record<string, string> = {};
  const files: ImageDescription['files'][number][] = [];
  const runs: string[] = [];
  const links = new Map<string, string>();
  let [base, user] = ['', ''];
  let [entrypoint, command]: (readonly string[])[] = [[], []];
  const expand = (text: string): string =>
    text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => args.get(name) ?? '');
  for (const [keyword, rest] of instructionsOf(dockerfile)) {
    if (keyword === 'ARG') args.set(...pairOf(rest));
    else if (keyword === 'FROM') base = expand(rest);
    else if (keyword === 'LABEL')
      for (const [, name = '', value = ''] of rest.matchAll(/([\w.]+)="([^"]*)"/g)) labels[name] = value;
    else if (keyword === 'COPY') files.push(...copied(rest));
    else if (keyword === 'RUN') {
      if (files.length > 0) throw new Error(`RUN ${rest}: it follows a COPY`);
      runs.push(rest);
      for (const [, to = '', from = ''] of rest.matchAll(/\bln -s (\S+) (\S+)/g)) links.set(from, to);
    } else if (keyword === 'USER') user = rest;
    else if (keyword === 'ENTRYPOINT') entrypoint = JSON.parse(rest) as string[];
    else if (keyword === 'CMD') command = JSON.parse(rest) as string[];
    else throw new Error(`${keyword} is not read here`);
  }
  return { base, labels, files, runs, links, user, entrypoint: entrypoint ?? [], command: command ?? [] };
}

function instructionsOf(dockerfile: string): (readonly [keyword: string, rest: string])[] {
  const text = dockerfile.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [keyword = '', ...rest] = line.split(' ');
      return [keyword, rest.join(' ')];
    });
}

function pairOf(text: string): [string, string] {
  const [name = '', ...value] = text.split('=');
  return [name, value.join('=')];
}

function copied(rest: string): ImageDescription['files'] {
  const [, mode, paths = ''] = /^--chmod=(0[0-7]{3}) (.*)$/.exec(rest) ?? [];
  if (mode === undefined) throw new Error(`COPY ${rest}: whether others may read it depends on who builds`);
  const sources = paths.split(' ');
  const target = sources.pop() ?? '';
  if (!target.endsWith('/')) throw new Error(`COPY ${rest}: name a folder, with a slash`);
  return sources.map((source) => ({
    source,
    target: `${target}${source.split('/').at(-1) ?? ''}`,
    mode: Number.parseInt(mode, 8),
  }));
}
