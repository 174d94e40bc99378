import type { GeneratedRelease } from './random-release.ts';

/** What a text of a chart has, by the name of the shape: in its templates, or in one kind of file. */
const shapes: Readonly<Record<string, { readonly file?: RegExp; readonly text?: RegExp }>> = {
  'templates that include others': { text: /\binclude "app\.labels"/ },
  'templates that include themselves': { text: /include "app\.flatten" \(dict/ },
  'templates named by an expression': { text: /include \(print \$\.Template\.BasePath/ },
  'values that are templates': { text: /\btpl \$\.Values\.greeting/ },
  'YAML that is a template': { text: /\btpl \(toYaml/ },
  'texts that define templates': { text: /tpl "\{\{ define/ },
  'a merge of the root context': { text: /\bmerge (?:\(dict [^)]*\)+|\(dict "own" \S+\)) \$\)/ },
  'mergeOverwrite of the root context': { text: /mergeOverwrite \(dict "item" \.\) \(omit \$/ },
  'values that a template changes': { text: /set \$\.Values "computed"/ },
  'merged values': { text: /\bmergeOverwrite \(deepCopy/ },
  'files of definitions': { file: /^crds\// },
  'objects of own definitions': { text: /apiVersion: example\.com\/v1\n/ },
  'a schema of draft 4': { file: /values\.schema\.json$/, text: /draft-04/ },
  'a schema of draft 6': { file: /values\.schema\.json$/, text: /draft-06/ },
  'a schema of draft 7': { file: /values\.schema\.json$/, text: /draft-07/ },
  'a schema of 2019-09': { file: /values\.schema\.json$/, text: /2019-09/ },
  'a schema of 2020-12': { file: /values\.schema\.json$/, text: /2020-12/ },
  'a schema without a dialect': { file: /values\.schema\.json$/, text: /^(?![^]*\$schema)/ },
  'hooks with weights': { text: /helm\.sh\/hook-weight/ },
  'hooks with delete policies': { text: /helm\.sh\/hook-delete-policy/ },
  'hooks of several events': { text: /helm\.sh\/hook": "[a-z-]+, ?[a-z-]+/ },
  tests: { text: /helm\.sh\/hook": "?test/ },
  'conditions of subcharts': { file: /^Chart\.yaml$/, text: /condition:/ },
  'tags of subcharts': { file: /^Chart\.yaml$/, text: /tags:/ },
  'imported values': { file: /^Chart\.yaml$/, text: /import-values:/ },
  'aliases of subcharts': { file: /^Chart\.yaml$/, text: /alias:/ },
  'packed subcharts': { file: /^charts\/.*\.tgz$/ },
  'subcharts of subcharts': { file: /^charts\/[^/]+\/charts\// },
  'library charts': { file: /Chart\.yaml$/, text: /type: library/ },
  notes: { file: /NOTES\.txt$/ },
  'ignored files': { file: /^\.helmignore$/ },
  'a file': { text: /\.Files\.Get / },
  'files by a pattern': { text: /\.Files\.Glob / },
  'lines of files': { text: /\.Files\.Lines / },
  'objects of the cluster': { text: /\blookup "/ },
  'loops over maps': { text: /range \$key, \$value := / },
  'loops over numbers': { text: /range (?:\d|\(len|\(\$\.Values\.replicas)/ },
  'loops over until': { text: /range \$i := until/ },
  'loops that end early': { text: /\{\{ (?:break|continue) \}\}/ },
  'with and else': { text: /\{\{- with [^]*?\{\{- else/ },
  'with and else with': { text: /\{\{- else with/ },
  'YAML at an indent': { text: /toYaml[^}]*\| nindent \d/ },
  'formats of numbers': { text: /printf "%[^"]*" [^}]*\$\.Values\.numbers/ },
  'numbers without a filter': { text: /\{\{ \$\.Values\.numbers\.\w+ \}\}/ },
  dates: { text: /\btoDate\b[^}]*\| date / },
  'versions of Kubernetes': { text: /semverCompare/ },
  'APIs of the cluster': { text: /APIVersions\.Has/ },
  'required values': { text: /required "a value/ },
};

/** Returns the names of the shapes that the files of a chart have. */
export function shapesOf({ files }: GeneratedRelease): string[] {
  const texts = Array.from(files, ([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')] as const);
  return Object.entries(shapes)
    .filter(([, { file = /\/templates\/|^templates\//, text }]) =>
      texts.some(([name, content]) => file.test(name) && (text === undefined || text.test(content))),
    )
    .map(([name]) => name);
}

/** The names of all shapes. */
export const shapeNames: readonly string[] = Object.keys(shapes);
