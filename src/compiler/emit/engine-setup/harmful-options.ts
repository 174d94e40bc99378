import { isJsonMap } from '../../../base/json/json-map.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { addOnGroup, clusterGroup, workGroup } from '../../../../schemas/groups.ts';
import { fieldAt, listAt, nameOf, setupFinding, type SetupObject } from './setup.ts';

const reasons = {
  recreate:
    'a re-created ClusterManagementAddOn loses its ManagedClusterAddOns, so the add-on is uninstalled from every cluster',
  empty: 'a folder that is empty by mistake uninstalls every add-on',
} as const;

/**
 * Returns the options of an Application with which Argo CD deletes objects that Git has, or does not apply their changes.
 *
 * @param spec - the path of the Application's `spec`
 */
export function harmfulOptionsOfArgoCd(application: SetupObject, spec: FieldPath): readonly Diagnostic[] {
  const { object } = application;
  const name = nameOf(application);
  const policy = [...spec, 'syncPolicy'];
  const options = listAt(object, ...policy, 'syncOptions');
  const findings = options.flatMap((option, index) =>
    typeof option === 'string' && /^(?:Replace|Force)=true$/i.test(option.replaceAll(' ', ''))
      ? [
          setupFinding(
            'FW9182',
            application,
            [...policy, 'syncOptions', index],
            `${name} has ${option}, which deletes and re-creates objects: ${reasons.recreate}`,
            `remove ${option} from syncPolicy.syncOptions`,
          ),
        ]
      : [],
  );
  if (fieldAt(object, ...policy, 'automated', 'allowEmpty') === true)
    findings.push(
      setupFinding(
        'FW9182',
        application,
        [...policy, 'automated', 'allowEmpty'],
        `${name} allows an empty folder: ${reasons.empty}`,
        'remove allowEmpty from syncPolicy.automated',
      ),
    );
  const isRespected = options.some((option) => option === 'RespectIgnoreDifferences=true');
  for (const [index, each] of listAt(object, ...spec, 'ignoreDifferences').entries()) {
    const group = fieldAt(each, 'group');
    const isOfOcm = typeof group === 'string' && ['*', addOnGroup, clusterGroup, workGroup].includes(group);
    const paths = [...listAt(each, 'jsonPointers'), ...listAt(each, 'jqPathExpressions')];
    const ignored = paths.find((path) => typeof path === 'string' && /^[./]spec(?:$|[./[])/.test(path));
    if (!isOfOcm || ignored === undefined) continue;
    findings.push(
      setupFinding(
        'FW9183',
        application,
        [...spec, 'ignoreDifferences', index],
        `${name} ignores ${textOf(ignored)} of ${textOf(fieldAt(each, 'kind') ?? 'objects')}: it ${isRespected ? 'does not apply changes of the field' : 'does not notice changes of the field on the hub'}`,
        'remove the field from ignoreDifferences',
      ),
    );
  }
  return findings;
}

/** Returns the options of a Kustomization with which Flux deletes objects that Git has, or does not apply their changes. */
export function harmfulOptionsOfFlux(kustomization: SetupObject): readonly Diagnostic[] {
  const { object } = kustomization;
  const name = nameOf(kustomization);
  const findings: Diagnostic[] = [];
  if (fieldAt(object, 'spec', 'force') === true)
    findings.push(
      setupFinding(
        'FW9182',
        kustomization,
        ['spec', 'force'],
        `${name} has force: true, which deletes and re-creates objects whose update is refused: ${reasons.recreate}`,
        'remove force',
      ),
    );
  if (fieldAt(object, 'spec', 'suspend') === true)
    findings.push(
      setupFinding(
        'FW9183',
        kustomization,
        ['spec', 'suspend'],
        `${name} is suspended: it applies no commit`,
        'remove suspend',
      ),
    );
  for (const [index, rule] of listAt(object, 'spec', 'ignore').entries()) {
    if (!isJsonMap(rule)) continue;
    const ignored = listAt(rule, 'paths').find(
      (path) => typeof path === 'string' && /^\/spec(?:$|\/)/.test(path),
    );
    if (ignored === undefined) continue;
    findings.push(
      setupFinding(
        'FW9183',
        kustomization,
        ['spec', 'ignore', index],
        `${name} ignores ${textOf(ignored)}: it does not apply changes of the field`,
        'remove the field from ignore',
      ),
    );
  }
  return findings;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
