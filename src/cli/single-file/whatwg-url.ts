import { URL } from 'node:url';

/**
 * Replaces `whatwg-url`, which the Kubernetes client includes for Node before version 10: it requires a module that
 * Node has deprecated, and every start of the companion would print a warning.
 */
export default { URL };
