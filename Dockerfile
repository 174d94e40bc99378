# The companion: `fleetwright controller hub` and `fleetwright controller agent`, of the npm package, packed or installed:
#
#     docker build --tag registry.example.com/fleetwright:0.1.0 node_modules/fleetwright
#
# docs/install-controller.md says how to fix the base image.
ARG NODE_IMAGE=node:24-slim
FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="fleetwright" \
  org.opencontainers.image.description="The companion of add-ons of an Open Cluster Management hub" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.licenses="Apache-2.0"
# The command is one file and needs no packages. Without package managers, their vulnerabilities do not matter.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
  && ln -s /usr/local/lib/fleetwright.mjs /usr/local/bin/fleetwright
# Readable by all users, independent of the umask of the build.
COPY --chmod=0755 build/fleetwright.mjs /usr/local/lib/
COPY --chmod=0644 LICENSE NOTICE build/LICENSES.txt build/sbom.cdx.json /usr/local/share/doc/fleetwright/
# A number, so that Kubernetes can verify that it is not root. Any other user works: nothing is written.
USER 1000:1000
# No shell and no init in between: the process gets SIGTERM itself.
ENTRYPOINT ["fleetwright"]
CMD ["controller", "hub"]
