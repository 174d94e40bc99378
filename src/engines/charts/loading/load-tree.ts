import { TemplateLimitError, textOf, type ValueMap } from '../../gotemplate/index.ts';
import { ChartError } from '../chart-fault.ts';
import { jsonKind } from '../functions/json.ts';
import { ChartNode, type ChartFile } from '../chart.ts';
import { asJson, readYaml } from '../yaml/read.ts';
import { YamlError } from '../yaml/yaml-error.ts';
import { readArchive, withoutByteOrderMark } from './archive.ts';
import { tooLarge, type ChartBounds } from './bounds.ts';
import { decodeMetadata, MetadataError, validMetadata } from './metadata.ts';

/**
 * Builds a chart from its files. As Helm's loader.LoadFiles, with the subcharts in the order of their folders.
 *
 * @param folder - where the chart is in the loaded files, for messages; empty for the root
 * @throws {ChartError}
 */
export function loadTree(
  files: readonly ChartFile[],
  folder: string,
  bounds: ChartBounds,
  depth = 0,
): ChartNode {
  bounds.addChart(depth, folder);
  const described = metadataFields(files, folder);
  const templates: ChartFile[] = [];
  const others: ChartFile[] = [];
  const subcharts = new Map<string, ChartFile[]>();
  let [fields, values, schema]: [ValueMap | undefined, ValueMap | undefined, string | undefined] = [
    described,
    undefined,
    undefined,
  ];
  for (const file of files) {
    const { name, bytes } = file;
    if (name === 'Chart.yaml') continue;
    if (name === 'Chart.lock') readFile(file, folder);
    else if (name === 'values.yaml') values = valuesOf(file, folder);
    else if (name === 'values.schema.json') schema = textOf(bytes);
    else if (name === 'requirements.yaml' || name === 'requirements.lock') {
      if (name === 'requirements.yaml')
        fields = located(name, folder, () => decodeMetadata(readFile(file, folder), fields));
      if (['', 'v1'].includes((fields?.get('apiVersion') as string | undefined) ?? '')) others.push(file);
    } else if (name.startsWith('templates/')) templates.push(file);
    else if (name.startsWith('charts/') && !name.endsWith('.prov')) addSubchart(subcharts, file);
    else others.push(file);
  }
  if (fields === undefined)
    throw new ChartError({
      code: 'FW6021',
      message: 'Chart.yaml file is missing',
      file: inFolder(folder, 'Chart.yaml'),
    });
  const chart = new ChartNode({
    metadata: located('Chart.yaml', folder, () => validMetadata(fields)),
    values,
    valuesFile: files.find(({ name }) => name === 'values.yaml')?.bytes,
    schema,
    templates,
    files: others,
    folder,
  });
  const names = [...subcharts.keys()].toSorted();
  chart.setDependencies(
    names.flatMap((name) => {
      const path = inFolder(folder, `charts/${name}`);
      return loadSubchart(name, subcharts.get(name) ?? [], path, bounds, depth + 1) ?? [];
    }),
  );
  return chart;
}

function metadataFields(files: readonly ChartFile[], folder: string): ValueMap | undefined {
  const file = files.find(({ name }) => name === 'Chart.yaml');
  return file && located('Chart.yaml', folder, () => decodeMetadata(readFile(file, folder)));
}

function addSubchart(subcharts: Map<string, ChartFile[]>, { name, bytes }: ChartFile): void {
  const path = name.slice('charts/'.length);
  const [folder = ''] = path.split('/');
  const files = subcharts.get(folder) ?? [];
  files.push({ name: path, bytes });
  subcharts.set(folder, files);
}

function loadSubchart(
  name: string,
  files: readonly ChartFile[],
  folder: string,
  bounds: ChartBounds,
  depth: number,
): ChartNode | undefined {
  if (/^[_.]/.test(name)) return undefined;
  if (name.endsWith('.tgz')) {
    const [file] = files;
    if (file?.name !== name)
      throw new ChartError({
        code: 'FW6022',
        message: `error unpacking subchart tar: expected ${name}, got ${file?.name ?? ''}`,
        file: folder,
      });
    return loadTree(readArchive(folder, file.bytes, bounds), folder, bounds, depth);
  }
  const inside = files
    .filter((file) => file.name.includes('/'))
    .map((file) => ({ name: file.name.slice(name.length + 1), bytes: file.bytes }));
  return loadTree(inside, folder, bounds, depth);
}

function valuesOf(file: ChartFile, folder: string): ValueMap {
  return located(file.name, folder, () => {
    const value = asJson(readFile(file, folder));
    if (value === null) return new Map();
    if (!(value instanceof Map))
      throw new MetadataError(
        `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`,
      );
    return value;
  });
}

function readFile({ name, bytes }: ChartFile, folder: string): ReturnType<typeof readYaml> {
  return located(name, folder, () => readYaml(textOf(withoutByteOrderMark(bytes))));
}

/** Adds the file to what a reader throws. */
function located<T>(name: string, folder: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TemplateLimitError) throw tooLarge(error.message, inFolder(folder, name));
    if (!(error instanceof YamlError || error instanceof MetadataError)) throw error;
    const isCheck = error.message.startsWith('validation: ');
    const prefix = error instanceof YamlError ? 'error converting YAML to JSON: ' : '';
    throw new ChartError({
      code: 'FW6021',
      message: isCheck ? error.message : `cannot load ${name}: ${prefix}${error.message}`,
      file: inFolder(folder, name),
      ...(error instanceof YamlError && error.line !== undefined && { line: error.line }),
    });
  }
}

/** Returns the path of a file in the files of the root chart. */
export function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
