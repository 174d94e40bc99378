/** How many bytes the manifests of a work may have. As ManifestValidator of OCM's webhook, with the limit that the operator leaves as it is. */
export const manifestLimit = 500 * 1024;
