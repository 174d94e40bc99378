import { URL } from 'node:url';

/**
 * Instead of `whatwg-url`, which the Kubernetes client brings for Node before version 10: it asks for a module that Node has
 * deprecated, and every start of the companion would warn of it.
 */
export default { URL };
