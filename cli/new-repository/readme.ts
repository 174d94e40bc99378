import type { Engine } from '../../compiler/emit/engine.ts';
import { appName } from './example-app.ts';
import { gitOpsFile } from './gitops.ts';
import type { Forge } from './workflow.ts';

const engineNames = { argocd: 'Argo CD', flux: 'Flux', none: '' } as const;
const planPlaces = {
  github: 'GitHub Actions comments the plan on every pull request (`.github/workflows/fleetwright.yaml`).',
  gitlab:
    'GitLab comments the plan on every merge request (`.gitlab/fleetwright.yaml`), once the variable `FLEETWRIGHT_TOKEN` with the environment scope `fleetwright-comment` holds a project access token with the scope `api`.',
  none: '',
} as const;

/** How the engine learns which add-ons are well; it would take each for healthy as soon as it exists. */
const health = {
  argocd: `Teach Argo CD, once, when OCM's objects are healthy. It knows none of their kinds, and would not wait for them:

   \`\`\`sh
   kubectl -n argocd patch configmap argocd-cm --patch-file node_modules/fleetwright/gitops/argocd-cm.yaml
   \`\`\``,
  flux: `Flux knows none of OCM's kinds; \`gitops/flux-health.yaml\` tells it when their objects are healthy.`,
} as const;

/** `README.md`: the next three steps. */
export function readme(name: string, forge: Forge, engine: Engine): string {
  const planned = planPlaces[forge] === '' ? '' : `\n${planPlaces[forge]}\n`;
  return `# ${name}

The add-ons of an Open Cluster Management hub, compiled with Fleetwright: \`apps/\` says what the clusters get, \`dist/\` is what
the hub is given.

## Next

1. Compile, and commit what came of it:

   \`\`\`sh
   npm install
   npm run synth
   git add . && git commit -m 'Add-ons of the hub'
   \`\`\`

2. Take the clusters of your hub instead of the four examples, edit \`apps/${appName}/app.ts\`, and see what that does before
   anything is applied:

   \`\`\`sh
   npx fleetwright fleet pull --out apps/${appName}/fleet.yaml
   npm run synth
   npm run plan
   \`\`\`

3. ${applied(engine)}
${planned}
\`npm run check\` says whether the types are right and \`dist/\` is up to date.
`;
}

function applied(engine: Engine): string {
  if (engine === 'none') {
    return `Push, and have the hub apply it:

   \`\`\`sh
   kubectl apply -k dist/${appName}
   \`\`\``;
  }
  return `${health[engine]}

   Then push, and have ${engineNames[engine]} apply it from then on. Look at the address of the repository first:

   \`\`\`sh
   kubectl apply ${engine === 'flux' ? '-k gitops' : `-f ${gitOpsFile}`}
   \`\`\``;
}
