import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

const gitops = path.resolve(import.meta.dirname, '../../packaging/gitops');

const header = `# Health checks of OCM's kinds for OpenShift GitOps, whose operator writes argocd-cm from this object. They are those of
# argocd-cm.yaml. Add them to the ArgoCD object:
#
#     kubectl -n openshift-gitops patch argocd openshift-gitops --type merge --patch-file openshift-gitops.yaml
#
# The patch replaces the list of health checks. If your object has health checks, copy them to this file first.
`;

/** The health checks of argocd-cm.yaml in the fields that the operator reads. */
function argoCd(): string {
  const { data } = parse(readFileSync(path.join(gitops, 'argocd-cm.yaml'), 'utf8')) as {
    readonly data: Readonly<Record<string, string>>;
  };
  const prefix = 'resource.customizations.health.';
  const checks = Object.entries(data).filter(([key]) => key.startsWith(prefix));
  const others = Object.entries(data).filter(([key]) => !key.startsWith(prefix));
  return stringify(
    {
      apiVersion: 'argoproj.io/v1beta1',
      kind: 'ArgoCD',
      metadata: { name: 'openshift-gitops', namespace: 'openshift-gitops' },
      spec: {
        resourceHealthChecks: checks.map(([key, check]) => {
          const [group, kind] = key.slice(prefix.length).split('_');
          return { group, kind, check };
        }),
        extraConfig: Object.fromEntries(others),
      },
    },
    { lineWidth: 0, singleQuote: true },
  );
}

// To write the file: npx vitest run test/docs/openshift-gitops.test.ts -u
test('OpenShift GitOps has the health checks of argocd-cm.yaml', async () => {
  await expect(`${header}${argoCd()}`).toMatchFileSnapshot(path.join(gitops, 'openshift-gitops.yaml'));
});
