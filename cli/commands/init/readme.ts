import type { Engine } from '../../../compiler/index.ts';
import { appName } from './example-app.ts';
import { gitOpsFile } from './gitops.ts';
import type { Forge } from './workflow.ts';

const engineNames = { argocd: 'Argo CD', flux: 'Flux', none: '' } as const;
const planComments = {
  github: 'GitHub Actions comments the plan on every pull request (`.github/workflows/fleetwright.yaml`).',
  gitlab:
    'GitLab comments the plan on every merge request (`.gitlab/fleetwright.yaml`). For this, store a project access token with the scope `api` in the variable `FLEETWRIGHT_TOKEN` with the environment scope `fleetwright-comment`.',
  none: '',
} as const;

/** How the engine gets health checks. Without them, it considers each object healthy as soon as it exists. */
const health = {
  argocd: `Add the health checks of OCM's kinds to Argo CD, once. Without them, Argo CD does not wait for these objects:

   \`\`\`sh
   kubectl -n argocd patch configmap argocd-cm --patch-file node_modules/fleetwright/gitops/argocd-cm.yaml
   \`\`\``,
  flux: `\`gitops/flux-health.yaml\` has the health checks of OCM's kinds, which Flux does not know.`,
} as const;

/** `README.md`: the next three steps. */
export function readme(name: string, forge: Forge, engine: Engine): string {
  const planned = planComments[forge] === '' ? '' : `\n${planComments[forge]}\n`;
  return `# ${name}

The add-ons of an Open Cluster Management hub, compiled with Fleetwright. \`apps/\` defines what the clusters get. \`dist/\` has the
objects that are applied to the hub.

## Next steps

1. Compile the add-ons, and commit the result:

   \`\`\`sh
   npm install
   npm run synth
   git add . && git commit -m 'Add-ons of the hub'
   \`\`\`

2. Replace the four example clusters with those of your hub, edit \`apps/${appName}/app.ts\`, and preview the effect before
   anything is applied:

   \`\`\`sh
   npx fleetwright fleet pull --out apps/${appName}/fleet.yaml
   npm run synth
   npm run plan
   \`\`\`

3. ${applied(engine)}
${planned}
\`npm run check\` checks the types, and whether \`dist/\` is up to date.
`;
}

function applied(engine: Engine): string {
  if (engine === 'none') {
    return `Push, and apply the objects to the hub:

   \`\`\`sh
   kubectl apply -k dist/${appName}
   \`\`\``;
  }
  return `${health[engine]}

   Then push, and let ${engineNames[engine]} apply the repository from now on. Check the URL of the repository first:

   \`\`\`sh
   kubectl apply ${engine === 'flux' ? '-k gitops' : `-f ${gitOpsFile}`}
   \`\`\``;
}
