/** The options of a check without arguments: all apps of the workspace, as its settings say. */
export const workspaceOptions = {
  path: [],
  fleet: [],
  hub: [],
  'hub-version': undefined,
  'api-version': undefined,
  now: undefined,
  policy: undefined,
} as const;
