import { UserError } from '../../../workspace/user-error.ts';

/** A URL of Git, such as `https://host/path`, or an address such as `git@host:path`. */
const cloneUrl = /^(?:(?:https?|ssh|git|file):\/\/[^\s/]*\/\S+|[\w.-]+@[\w.-]+:\S+|oci:\/\/\S+)$/;

/** @throws UserError if an engine cannot clone the address. */
export function checkUrl(url: string | undefined): void {
  if (url === undefined || cloneUrl.test(url)) return;
  throw new UserError(
    `--repo-url ${JSON.stringify(url)}: not a URL of a repository`,
    'use a URL such as https://git.example.com/team/add-ons.git or git@git.example.com:team/add-ons.git',
  );
}
