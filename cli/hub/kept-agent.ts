import type http from 'node:http';
import https from 'node:https';

/** What connections of an agent are made with. */
const credentials = ['ca', 'cert', 'key', 'pfx', 'passphrase', 'rejectUnauthorized', 'servername'] as const;

/**
 * Keeps connections open from one request to the next. The Kubernetes client makes an agent for each request, since
 * credentials run out: as long as they stay the same the first one is used for all, and a list of many pages is read over
 * one connection.
 */
export class KeptAgent {
  #agent: https.Agent | undefined;
  #credentials = '';

  /** The agent to use where the client gave this one. Those that go through proxies stay. */
  of(given: http.Agent | https.Agent | boolean | undefined): http.Agent | https.Agent | boolean | undefined {
    if (!(given instanceof https.Agent) || given.constructor !== https.Agent) return given;
    const { options } = given;
    const text = JSON.stringify(credentials.map((name) => options[name]));
    if (this.#agent !== undefined && this.#credentials === text) return this.#agent;
    this.#credentials = text;
    this.#agent = new https.Agent({ ...options, keepAlive: true });
    return this.#agent;
  }
}
