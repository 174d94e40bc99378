import {
  Integer,
  toValue,
  TypedList,
  type GoObject,
  type Value,
  type ValueMap,
} from '../../../engines/gotemplate/index.ts';
import type {
  AddOnDeploymentConfigV1alpha1,
  AddOnDeploymentConfigV1alpha1NodePlacement,
} from '../../../../schemas/types.gen.ts';
import { isGoJsonObject, type GoJsonValue } from '../../../base/json/go-json.ts';
import { convertTyped } from '../../../base/typed/typed-conversion.ts';
import type { RenderFault } from '../fault.ts';
import { overrideImage, type ImageMirror } from '../decoration/image-registries.ts';
import { goStruct, stringMap } from './go-values.ts';
import { mergeValues } from './merge-values.ts';
import type { ConfigConversion, ImageOverride } from '../../../ocm/values-profile.ts';

/** Values, or the reason why addon-framework has none. */
export type ReadValues = { readonly values: ValueMap } | RenderFault;

type Spec = AddOnDeploymentConfigV1alpha1['spec'];
type Toleration = NonNullable<AddOnDeploymentConfigV1alpha1NodePlacement['tolerations']>[number];

/** Returns the values of conversions, merged in order. As addon-framework GetAddOnDeploymentConfigValues. */
export function configValues(
  { spec }: AddOnDeploymentConfigV1alpha1,
  conversions: readonly (ConfigConversion | ImageOverride)[],
): ReadValues {
  let values: ValueMap = new Map();
  for (const conversion of conversions) {
    const converted =
      typeof conversion === 'string'
        ? byName[conversion](spec)
        : { values: imageValues(conversion, spec.registries) };
    if ('error' in converted) return converted;
    values = mergeValues(values, converted.values);
  }
  return { values };
}

/** Returns the value of an image, as the mirrors change it. As addon-framework overrideImageWithKeyValue. */
export function imageValues(
  { imageKey, image }: ImageOverride,
  mirrors: readonly ImageMirror[] = [],
): ValueMap {
  const value: Value = overrideImage(image, mirrors);
  return imageKey.split('.').reduceRight<Value>((inner, key) => new Map([[key, inner]]), value) as ValueMap;
}

const byName: Readonly<Record<ConfigConversion, (spec: Spec) => ReadValues>> = {
  ToAddOnDeploymentConfigValues: allValues,
  ToAddOnNodePlacementValues: ({ nodePlacement }) => ({
    values:
      nodePlacement === undefined
        ? new Map()
        : new Map<string, Value>([
            ['tolerations', plainTolerations(nodePlacement.tolerations)],
            ['global', new Map([['nodeSelector', toValue(nodePlacement.nodeSelector)]])],
          ]),
  }),
  ToAddOnProxyConfigValues: ({ proxyConfig = {} }) => {
    const { httpProxy = '', httpsProxy = '', noProxy = '' } = proxyConfig;
    if (httpProxy === '' && httpsProxy === '') return { values: new Map() };
    const named = {
      HTTP_PROXY: httpProxy,
      HTTPS_PROXY: httpsProxy,
      NO_PROXY: noProxy,
      ...bundle(proxyConfig),
    };
    const present = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ''));
    return { values: toValue({ global: { proxyConfig: present } }) as ValueMap };
  },
  ToAddOnResourceRequirementsValues: (spec) => {
    if (spec.resourceRequirements === undefined) return { values: new Map() };
    const read = requirements(spec);
    if ('error' in read) return read;
    const items = read.items.map(({ content }) => content as ValueMap);
    return { values: new Map([['global', new Map([['resourceRequirements', items]])]]) };
  },
  ToAddOnCustomizedVariableValues: ({ customizedVariables = [] }) => ({
    values: new Map(customizedVariables.map(({ name, value = '' }) => [name, value])),
  }),
};

function allValues(spec: Spec): ReadValues {
  const { customizedVariables = [], nodePlacement, proxyConfig = {} } = spec;
  const values: ValueMap = new Map(customizedVariables.map(({ name, value = '' }) => [name, value]));
  if (nodePlacement !== undefined) {
    const { tolerations } = nodePlacement;
    values.set('NodeSelector', stringMap(nodePlacement.nodeSelector));
    const isNil = tolerations === undefined;
    values.set('Tolerations', new TypedList('[]v1.Toleration', (tolerations ?? []).map(toleration), isNil));
  }
  const { httpProxy = '', httpsProxy = '', noProxy = '' } = proxyConfig;
  const named = { HTTPProxy: httpProxy, HTTPSProxy: httpsProxy, NoProxy: noProxy };
  for (const [name, value] of Object.entries(named)) if (value !== '') values.set(name, value);
  const { PROXY_CA_BUNDLE: caBundle } = bundle(proxyConfig);
  if (caBundle !== '') values.set('ProxyCABundle', caBundle);
  const read = requirements(spec);
  if ('error' in read) return read;
  if (read.items.length > 0)
    values.set('ResourceRequirements', new TypedList('[]addonfactory.RegexResourceRequirements', read.items));
  return { values };
}

function bundle({ caBundle = '' }: NonNullable<Spec['proxyConfig']>): { readonly PROXY_CA_BUNDLE: string } {
  return { PROXY_CA_BUNDLE: Buffer.from(caBundle, 'base64').toString('utf8') };
}

function plainTolerations(tolerations: readonly Toleration[] | undefined): Value {
  return tolerations === undefined ? null : tolerations.map((each) => toleration(each).content as ValueMap);
}

function toleration({
  key = '',
  operator = '',
  value = '',
  effect = '',
  tolerationSeconds,
}: Toleration): GoObject {
  const text = (name: string, json: string, content: string) => ({
    name,
    value: content,
    json: content === '' ? undefined : ([json, content] as const),
  });
  // The number is of type int64, also where JSON has only float64.
  const seconds = tolerationSeconds === undefined ? null : new Integer(BigInt(tolerationSeconds), 'int64');
  return goStruct('v1.Toleration', [
    text('Key', 'key', key),
    text('Operator', 'operator', operator),
    text('Value', 'value', value),
    text('Effect', 'effect', effect),
    {
      name: 'TolerationSeconds',
      value: seconds,
      json: tolerationSeconds === undefined ? undefined : ['tolerationSeconds', tolerationSeconds],
    },
  ]);
}

/** As addon-framework GetRegexResourceRequirements. */
function requirements({
  resourceRequirements = [],
}: Spec): { readonly items: readonly GoObject[] } | RenderFault {
  const items: GoObject[] = [];
  for (const [index, { containerID, resources }] of resourceRequirements.entries()) {
    const path = ['spec', 'resourceRequirements', index];
    const parts = containerID.split(':');
    if (parts.length !== 3) return { error: `invalid ContainerID: ${containerID}`, code: 'FW6003', path };
    const converted = convertTyped('ResourceRequirements', resources as unknown as GoJsonValue);
    if (converted === undefined || !isGoJsonObject(converted))
      return { error: `invalid quantity in the resources of ${containerID}`, code: 'FW6003', path };
    items.push(requirement(`^${parts.map((part) => (part === '*' ? '.+' : part)).join(':')}$`, converted));
  }
  return { items };
}

function requirement(pattern: string, raw: { readonly [key: string]: GoJsonValue | undefined }): GoObject {
  const list = (name: string): Readonly<Record<string, string>> | undefined => {
    const quantities = raw[name];
    const isEmpty = !isGoJsonObject(quantities) || Object.keys(quantities).length === 0;
    return isEmpty ? undefined : (quantities as Readonly<Record<string, string>>);
  };
  const [limits, requests] = [list('limits'), list('requests')];
  const resources = goStruct('addonfactory.resourceRequirements', [
    { name: 'Limits', value: stringMap(limits), json: limits && ['limits', toValue(limits)] },
    { name: 'Requests', value: stringMap(requests), json: requests && ['requests', toValue(requests)] },
  ]);
  return goStruct('addonfactory.RegexResourceRequirements', [
    { name: 'ContainerIDRegex', value: pattern, json: ['containerIDRegex', pattern] },
    { name: 'Resources', value: resources, json: ['resources', resources.content as ValueMap] },
    { name: 'ResourcesRaw', value: toValue(raw), json: ['resourcesRaw', toValue(raw)] },
  ]);
}
