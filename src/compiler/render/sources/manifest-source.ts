import { isGoJsonObject, type GoJsonObject, type GoJsonValue } from '../../../base/json/go-json.ts';
import { parseTime } from '../../../base/time/rfc3339.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { configConversions, type AgentKind, type ValuesFunction } from '../../../ocm/values-profile.ts';
import type { KindScope } from '../../../ocm/clusters/kind-scope.ts';
import type { RenderFault } from '../fault.ts';

/** A manifest of a template from which the compiler renders the manifests of each cluster. */
export interface ManifestSource {
  readonly kind: AgentKind;
  /** The content of each file by its path. Empty if there is an archive. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The content of a chart's archive (`.tgz`). */
  readonly archive?: Uint8Array;
  /** Stronger than the chart's defaults, weaker than all functions. */
  readonly values: GoJsonObject;
  /** Of a chart. Undefined if the delivery of the add-on decides. */
  readonly rules: SourceRules | undefined;
  /** The version of Kubernetes on clusters that report none, and APIs of clusters besides those of Kubernetes. */
  readonly capabilities: StatedCapabilities;
  /** Whether objects of a kind have a namespace, by `group/Kind`. */
  readonly scopes: ReadonlyMap<string, KindScope>;
  /** The names of Secrets of a chart that are on the clusters in another way, and are not delivered: `name`, or `namespace/name`. */
  readonly clusterSecrets: readonly string[];
  /** The values that customized variables set, by the name of the variable. */
  readonly variables: ReadonlyMap<string, SourceVariable>;
  readonly functions: readonly ValuesFunction[];
  /** Whether a missing value is an error. */
  readonly strict: boolean;
  /** What the function `now` returns, in nanoseconds since 1970. Undefined if it must not be called. */
  readonly now: bigint | undefined;
}

/** Who renders a chart: Helm's client, or a program that uses addon-framework. */
export type SourceRules = 'helm' | 'addon-framework';

/** What a source states of the clusters. */
export interface StatedCapabilities {
  readonly kubeVersion?: string;
  readonly apiVersions: readonly string[];
}

/** A value that a customized variable sets. */
export interface SourceVariable {
  /** The path of the value. */
  readonly path: readonly string[];
  /** Whether the text of the variable is JSON, such as a number. */
  readonly isJson: boolean;
  /** Whether the variable has the value of a parameter. The functions for values do not read such a variable. */
  readonly isParameter: boolean;
}

/** The functions of a source that lists none: every field of an AddOnDeploymentConfig, then the annotation. */
const defaultFunctions: Readonly<Record<AgentKind, readonly ValuesFunction[]>> = {
  helm: [
    {
      function: 'GetAddOnDeploymentConfigValues',
      toValues: configConversions.filter((conversion) => conversion !== 'ToAddOnDeploymentConfigValues'),
    },
    { function: 'GetValuesFromAddonAnnotation' },
  ],
  template: [
    { function: 'GetAddOnDeploymentConfigValues', toValues: ['ToAddOnDeploymentConfigValues'] },
    { function: 'GetValuesFromAddonAnnotation' },
  ],
};

/** Reads a source. Its fields come from users, so each is checked. */
export function readSource(manifest: GoJsonObject): ManifestSource | RenderFault {
  const { spec } = manifest;
  const kind = manifest['kind'] === 'GoTemplates' ? 'template' : 'helm';
  if (!isGoJsonObject(spec)) return fault(['spec'], 'is required');
  for (const field of Object.keys(spec))
    if (!fieldsOf[kind].includes(field))
      return fault(['spec', field], `is unknown; the fields are ${fieldsOf[kind].join(', ')}`);
  const { values = {}, strict = false, archive, now } = spec;
  if (!isGoJsonObject(values)) return fault(['spec', 'values'], 'is not an object');
  if (typeof strict !== 'boolean') return fault(['spec', 'strict'], 'is not true or false');
  if (archive !== undefined && typeof archive !== 'string')
    return fault(['spec', 'archive'], 'is not the base64 text of a .tgz');
  const time = typeof now === 'string' ? parseTime(now) : undefined;
  if (now !== undefined && time === undefined)
    return fault(['spec', 'now'], 'is not a time such as 2026-01-31T12:00:00Z');
  const stated = readStated(spec);
  if ('error' in stated) return stated;
  const files = readFiles(spec);
  if ('error' in files) return files;
  if ((files.files.size === 0) === (archive === undefined))
    return fault(['spec'], kind === 'helm' ? 'needs either files or an archive' : 'needs files');
  const variables = readVariables(spec['variables'] ?? {});
  if ('error' in variables) return variables;
  const functions = readFunctions(kind, spec['valuesFunctions']);
  if ('error' in functions) return functions;
  return {
    kind,
    files: files.files,
    ...(archive === undefined ? {} : { archive: Buffer.from(archive, 'base64') }),
    values,
    ...stated,
    variables: variables.paths,
    functions: functions.functions,
    strict,
    now: time && BigInt(time.seconds) * 1_000_000_000n + BigInt(time.nanoseconds),
  };
}

const fieldsOf: Readonly<Record<AgentKind, readonly string[]>> = {
  helm: [
    'files',
    'binaryFiles',
    'archive',
    'values',
    'variables',
    'valuesFunctions',
    'strict',
    'now',
    'rules',
    'kubeVersion',
    'apiVersions',
    'scopes',
    'clusterSecrets',
  ],
  template: ['files', 'values', 'variables', 'valuesFunctions'],
};

function readStated(
  spec: GoJsonObject,
): Pick<ManifestSource, 'rules' | 'capabilities' | 'scopes' | 'clusterSecrets'> | RenderFault {
  const { rules, kubeVersion, apiVersions = [], scopes = {}, clusterSecrets = [] } = spec;
  if (rules !== undefined && rules !== 'helm' && rules !== 'addon-framework')
    return fault(['spec', 'rules'], 'is neither helm nor addon-framework');
  if (kubeVersion !== undefined && !(typeof kubeVersion === 'string' && /^v?\d+\.\d+/.test(kubeVersion)))
    return fault(['spec', 'kubeVersion'], 'is not a version such as v1.34.0');
  if (!Array.isArray(apiVersions) || !(apiVersions as readonly GoJsonValue[]).every(isText))
    return fault(['spec', 'apiVersions'], 'is not a list of texts such as monitoring.coreos.com/v1');
  if (!Array.isArray(clusterSecrets) || !(clusterSecrets as readonly GoJsonValue[]).every(isText))
    return fault(['spec', 'clusterSecrets'], 'is not a list of names of Secrets');
  if (!isGoJsonObject(scopes)) return fault(['spec', 'scopes'], 'is not an object of scopes by kind');
  const read = new Map<string, KindScope>();
  for (const [kind, scope] of Object.entries(scopes)) {
    if (scope !== 'Namespaced' && scope !== 'Cluster')
      return fault(['spec', 'scopes', kind], 'is neither Namespaced nor Cluster');
    read.set(kind, scope);
  }
  return {
    rules,
    capabilities: {
      ...(kubeVersion === undefined ? {} : { kubeVersion: completeVersion(kubeVersion) }),
      apiVersions: apiVersions as readonly string[],
    },
    scopes: read,
    clusterSecrets: clusterSecrets as readonly string[],
  };
}

/** As chartutil.ParseKubeVersion: `1.34` is `v1.34.0`. */
function completeVersion(text: string): string {
  const version = text.startsWith('v') ? text : `v${text}`;
  return /^v\d+\.\d+$/.test(version) ? `${version}.0` : version;
}

function readFiles(spec: GoJsonObject): { readonly files: ReadonlyMap<string, Uint8Array> } | RenderFault {
  const files = new Map<string, Uint8Array>();
  for (const [field, encoding] of [
    ['files', 'utf8'],
    ['binaryFiles', 'base64'],
  ] as const) {
    const contents = spec[field] ?? {};
    if (!isGoJsonObject(contents)) return fault(['spec', field], 'is not an object of texts by path');
    for (const [file, content] of Object.entries(contents)) {
      if (typeof content !== 'string') return fault(['spec', field, file], 'is not a text');
      files.set(file, Buffer.from(content, encoding));
    }
  }
  return { files };
}

function readVariables(
  variables: GoJsonValue,
): { readonly paths: ReadonlyMap<string, SourceVariable> } | RenderFault {
  if (!isGoJsonObject(variables))
    return fault(['spec', 'variables'], 'is not an object of paths by variable');
  const paths = new Map<string, SourceVariable>();
  for (const [name, written] of Object.entries(variables)) {
    const variable = isGoJsonObject(written) ? parameterVariable(written) : textVariable(written);
    if (variable === undefined)
      return fault(['spec', 'variables', name], 'is not the path of a value, such as image.tag');
    paths.set(name, variable);
  }
  return { paths };
}

function textVariable(path: GoJsonValue): SourceVariable | undefined {
  if (typeof path !== 'string' || !/^[^.]+(?:\.[^.]+)*$/.test(path)) return undefined;
  return { path: path.split('.'), isJson: false, isParameter: false };
}

/** Reads the form in which parameters are compiled: `{ path: [image, tag], type: string }`. */
function parameterVariable({ path, type, ...others }: GoJsonObject): SourceVariable | undefined {
  if (!Array.isArray(path) || path.length === 0 || !(path as readonly GoJsonValue[]).every(isText))
    return undefined;
  if ((type !== 'string' && type !== 'json') || Object.keys(others).length > 0) return undefined;
  return { path: path as readonly string[], isJson: type === 'json', isParameter: true };
}

function readFunctions(
  kind: AgentKind,
  list: GoJsonValue | undefined,
): { readonly functions: readonly ValuesFunction[] } | RenderFault {
  if (list === undefined) return { functions: defaultFunctions[kind] };
  if (!Array.isArray(list)) return fault(['spec', 'valuesFunctions'], 'is not a list');
  const functions: ValuesFunction[] = [];
  for (const [index, item] of (list as readonly GoJsonValue[]).entries()) {
    const read = readFunction(item);
    if (typeof read === 'string') return fault(['spec', 'valuesFunctions', index], read);
    functions.push(read);
  }
  return { functions };
}

/** Returns a function, or what is wrong with it. */
function readFunction(item: GoJsonValue): ValuesFunction | string {
  if (!isGoJsonObject(item)) return 'is not an object';
  const { function: name, toValues, imageKey, image } = item;
  if (name === 'GetValuesFromAddonAnnotation') return { function: name };
  if (name === 'GetAgentImageValues')
    return isText(imageKey) && isText(image)
      ? { function: name, imageKey, image }
      : 'needs the texts imageKey and image';
  if (name !== 'GetAddOnDeploymentConfigValues')
    return 'has no known function: use GetAddOnDeploymentConfigValues, GetValuesFromAddonAnnotation or GetAgentImageValues';
  if (!Array.isArray(toValues)) return 'needs the list toValues';
  const conversions = (toValues as readonly GoJsonValue[]).map((each) => {
    if (isGoJsonObject(each) && isText(each['imageKey']) && isText(each['image']))
      return { imageKey: each['imageKey'], image: each['image'] };
    return configConversions.find((conversion) => conversion === each);
  });
  const known = conversions.filter((each) => each !== undefined);
  if (known.length < conversions.length)
    return `has an unknown conversion; the conversions are ${configConversions.join(', ')}, and objects with imageKey and image`;
  return { function: name, toValues: known };
}

function isText(value: GoJsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function fault(path: FieldPath, what: string): RenderFault {
  return { error: `${path.join('.')} ${what}`, code: 'FW6036', path };
}
