import type { Engine } from '../../../compiler/index.ts';
import { engineFolder } from '../../../workspace/output/engine-setup.ts';
import { fluxFolders } from './gitops.ts';
import type { Forge } from './workflow.ts';

const engineNames = { argocd: 'Argo CD', flux: 'Flux', none: '' } as const;
const planComments = {
  github: 'GitHub Actions comments the plan on every pull request (`.github/workflows/fleetwright.yaml`).',
  gitlab:
    'GitLab comments the plan on every merge request (`.gitlab/fleetwright.yaml`). For this, store a project access token with the scope `api` in the variable `FLEETWRIGHT_TOKEN` with the environment scope `fleetwright-comment`.',
  azure:
    'Azure Pipelines plans every change (`azure-pipelines.yml`). Create a pipeline from the file. In Azure Repos, add it to the policy of the branch as build validation.',
  jenkins: 'Jenkins plans every change (`Jenkinsfile`), in a Multibranch Pipeline.',
  tekton: 'Tekton plans every change (`.tekton/fleetwright.yaml`), with Pipelines as Code.',
  none: '',
} as const;

/** How Argo CD gets health checks. Without them, it considers each object healthy as soon as it exists. */
function argoCdHealth(hubs: readonly string[]): string {
  const names = hubs.map((hub) => `\`${hub}\``).join(', ');
  const registered =
    hubs.length < 2 ? '' : `Register the hubs as clusters of Argo CD with the names ${names}. `;
  return `${registered}Add the health checks of OCM's kinds to Argo CD, once. Without them, Argo CD does not wait for these objects:

   \`\`\`sh
   kubectl -n argocd patch configmap argocd-cm --patch-file node_modules/fleetwright/packaging/gitops/argocd-cm.yaml
   \`\`\``;
}

function fluxHealth(hubs: readonly string[]): string {
  const [{ folder } = { folder: engineFolder }] = fluxFolders({ hubs });
  return `\`${folder}/flux-health.yaml\` has the health checks of OCM's kinds, which Flux does not know.`;
}

/** What the README of a new repository describes. */
interface ReadmeChoices {
  readonly forge: Forge;
  readonly engine: Engine;
  /** The names of the hubs. Empty if the workspace has one hub without a name. */
  readonly hubs: readonly string[];
  /** The name of the first app. */
  readonly appName: string;
  readonly hasTypeScript: boolean;
}

/** `README.md`: the next three steps. */
export function readme(name: string, { forge, engine, hubs, appName, hasTypeScript }: ReadmeChoices): string {
  const planned = planComments[forge] === '' ? '' : `\n${planComments[forge]}\n`;
  const isOneHub = hubs.length < 2;
  const pulls = isOneHub ? [''] : hubs.map((hub) => ` --hub ${hub}`);
  return `# ${name}

The add-ons of ${isOneHub ? 'an Open Cluster Management hub' : 'Open Cluster Management hubs'}, compiled with Fleetwright. \`apps/\` defines what the clusters get. \`dist/\` has the
objects that are applied to ${isOneHub ? 'the hub' : 'each hub'}.

## Next steps

1. Compile the add-ons, and commit the result:

   \`\`\`sh
   npm install
   npm run synth
   git add . && git commit -m 'Add-ons of the hub'
   \`\`\`

2. Replace the four example clusters with those of your ${isOneHub ? 'hub' : 'hubs'}, edit \`apps/${appName}/app.${hasTypeScript ? 'ts' : 'yaml'}\`, and preview the effect before
   anything is applied:

   \`\`\`sh
${pulls.map((option) => `   npx fleetwright fleet pull${option}\n`).join('')}   npm run synth
   npm run plan
   \`\`\`

3. ${applied(engine, hubs)}
${planned}
\`npx fleetwright new NAME\` adds another app${engine === 'none' ? '' : `, which ${engineNames[engine]} applies without a further object`}. \`npm run check\` checks ${hasTypeScript ? 'the types, and ' : ''}whether
\`dist/\` is up to date.
`;
}

function applied(engine: Engine, hubs: readonly string[]): string {
  if (engine === 'none') {
    const folders = hubs.length < 2 ? ['dist'] : hubs.map((hub) => `dist/${hub}`);
    return `Push, and apply the objects to ${hubs.length < 2 ? 'the hub' : 'each hub'}:

   \`\`\`sh
${folders.map((folder) => `   kubectl${contextOf(folder, hubs)} apply -k ${folder}\n`).join('')}   \`\`\``;
  }
  const commands =
    engine === 'argocd'
      ? [`kubectl apply -f ${engineFolder}/apps.yaml`]
      : fluxFolders({ hubs }).map(({ folder }) => `kubectl${contextOf(folder, hubs)} apply -k ${folder}`);
  return `${engine === 'flux' ? fluxHealth(hubs) : argoCdHealth(hubs)}

   Then push, and let ${engineNames[engine]} apply the repository from now on. Check the URL of the repository first:

   \`\`\`sh
${commands.map((command) => `   ${command}\n`).join('')}   \`\`\``;
}

/** Returns the option that selects the hub of a folder, which is also the name of a context of the kubeconfig. */
function contextOf(folder: string, hubs: readonly string[]): string {
  const hub = folder.slice(folder.lastIndexOf('/') + 1);
  return hubs.length > 1 ? ` --context ${hub}` : '';
}
