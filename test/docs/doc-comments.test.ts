import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const texts = new Map(
  ['constructs', 'src', 'schemas']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => path.join(folder, file)),
    )
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
);
const comment = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;

function namesIn(text: string): readonly string[] {
  return text.replaceAll(comment, '').match(/[A-Za-z_$][\w$]*/g) ?? [];
}

/** What files export, and the methods of the constructs, which are public. */
const exported = [...texts].flatMap(([file, text]) => {
  const declared =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const) (\w+)/gm;
  const methods = file.startsWith('constructs/') ? text.matchAll(/^ {2}(?:static )?(\w+)\(/gm) : [];
  return [...text.matchAll(declared), ...methods].map(([, name = '']) => name);
});

/** Words that comments quote and that are no names of ours. */
const others: Readonly<Record<string, readonly string[]>> = {
  commands: 'explain hubs init promote revert sensitive synth'.split(' '),
  'Go and Kubernetes':
    'PerCallLimit AsApproximateFloat64 AsInt64 Equal Error Parse ParseQuantity bigint byte complex128 configmaps httpproxy int32 int64 maxInt64Factors omitempty omitzero parseQuantityString yaml_parser_scan_block_scalar yaml_parser_scan_block_scalar_breaks'.split(
      ' ',
    ),
  OCM: 'WithGetValuesFuncs NodeSelector Tolerations HTTPProxy HTTPSProxy NoProxy ProxyCABundle ResourceRequirements HTTP_PROXY HTTPS_PROXY PROXY_CA_BUNDLE ToImageOverrideValuesFunc AgentAddonFactory BuildHelmAgentAddon BuildTemplateAgentAddon CLUSTER_NAME RuntimeCELCostBudget ToAddOnNodePlacementValues addondeploymentconfigs addontemplate addontemplates exampleconfigs managedCluster manifestworks'.split(
    ' ',
  ),
  'CEL, templates and schemas':
    '$dynamicRef $id $recursiveRef camelcase endsWith eq html inf js kebabcase le lowerAscii lt nan oneOf or orValue replace self set snakecase startsWith urlquery include'.split(
      ' ',
    ),
  JavaScript: 'Date __proto__ false node_modules toJS toString true writeSync'.split(' '),
  'values and fields':
    'immediately NAME_FILE A $ $1 Approved Complete Conflict Expired FW2103 Failed FileSystemWrite Flux IF_NOT_PRESENT Invalid KeyReuseRefused ManifestConflict NotFound RequesterRefused Succeeded b cluster1 cluster10 compiled cpu debug different env external healthCheckExprs hosting isPartial lease managed restricted results'.split(
      ' ',
    ),
  environment: 'ARGOCD_ENV_HUB_VERSION ERR_MODULE_NOT_FOUND KUBECONFIG NO_PROXY REQUEST_METHOD setpriv'.split(
    ' ',
  ),
  examples:
    'PlacementToleration ClusterRoleBinding HelmTemplate ImagePullPolicy IfNotPresent hostIP hostIp nodes placementAws'.split(
      ' ',
    ),
};

test('a name in a doc comment is a name in its file, or one that others can use', () => {
  const quoted = new Set(Object.values(others).flat());
  const needed = new Set<string>();
  const known = new Set([...exported, ...namesIn(texts.get('schemas/types.gen.ts') ?? '')]);
  const unknown: string[] = [];
  let checked = 0;
  for (const [file, text] of texts) {
    if (file.endsWith('.gen.ts')) continue;
    const own = new Set(namesIn(text));
    for (const [words] of text.matchAll(/\/\*\*[^]*?\*\//g))
      for (const [, name = ''] of words
        .replace(/@example[^]*/, '')
        .matchAll(/`([A-Za-z_$][\w$]*)(?:\(\))?`/g)) {
        checked++;
        if (own.has(name) || known.has(name)) continue;
        if (quoted.has(name)) needed.add(name);
        else unknown.push(`${file}: ${name}`);
      }
  }
  expect(checked).toBeGreaterThan(900);
  expect(unknown).toEqual([]);
  expect([...quoted].filter((name) => !needed.has(name))).toEqual([]);
});
