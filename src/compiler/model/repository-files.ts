/** The files of the Git repository that has the inputs, in the same state. */
export interface RepositoryFiles {
  /** The URLs of its remotes. */
  readonly remotes: readonly string[];
  /** The branches whose next state this is: the checked-out one, and the default branch. */
  readonly branches: readonly string[];
  /** The paths of all files in Git, from the top of the repository. */
  readonly paths: readonly string[];
  /** Returns the content of a file; undefined if it cannot be read, or is too large. */
  readonly text: (path: string) => string | undefined;
}

/** Whether a URL of a Git generator is that of the repository. Protocol, user and the suffix `.git` do not count. */
export function isRepository({ remotes }: RepositoryFiles, url: string): boolean {
  const wanted = repositoryName(url);
  return wanted !== '' && remotes.some((remote) => repositoryName(remote) === wanted);
}

/** Whether a revision of a Git generator is this state, after the change is merged. */
export function isBranch({ branches }: RepositoryFiles, revision: string): boolean {
  return revision === '' || revision === 'HEAD' || branches.includes(revision.replace(/^refs\/heads\//, ''));
}

/** Returns `git.example.com/team/apps` for the URLs of a repository with any protocol. */
function repositoryName(url: string): string {
  const [, host = '', path = ''] =
    /^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?([^/:]+)(?::\d+(?=\/))?[:/](.+)$/i.exec(url.trim()) ?? [];
  if (host === '') return '';
  return `${host}/${path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')}`.toLowerCase();
}
