# The companion: `fleetwright controller hub` and `fleetwright controller agent`, of the npm package as it is published.
#
#     npm pack && docker build --tag registry.example.com/fleetwright:0.1.0 .
FROM node:22-slim
COPY fleetwright-*.tgz /tmp/
RUN npm install --global --omit=dev --ignore-scripts /tmp/fleetwright-*.tgz \
  && npm cache clean --force \
  && rm --force /tmp/fleetwright-*.tgz
ENV NODE_ENV=production
# The user node of the image, by number, so that Kubernetes can tell that it is not root.
USER 1000:1000
# Nothing is written to, and the process gets SIGTERM itself.
ENTRYPOINT ["fleetwright"]
CMD ["controller", "hub"]
