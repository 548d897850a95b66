# A Cuebook server. Another image of Node 24 on glibc may take the place of the official one: --build-arg NODE=...
ARG NODE=docker.io/library/node:24-bookworm-slim

FROM ${NODE} AS package
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund && npm run build && npm pack --pack-destination /

FROM ${NODE}
COPY --from=package /cuebook-*.tgz /tmp/
RUN npm install --global --omit=dev --no-audit --no-fund /tmp/cuebook-*.tgz && rm /tmp/cuebook-*.tgz \
 && useradd --system --create-home --home-dir /var/lib/cuebook cuebook
USER cuebook
WORKDIR /var/lib/cuebook
# A published server: it starts only with API_KEYS or IDENTITY_ISSUER.
ENV DATA_DIR=/var/lib/cuebook HOST=0.0.0.0 PORT=4747
EXPOSE 4747
HEALTHCHECK --interval=5s --timeout=3s --start-period=40s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4747/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["cuebook", "serve"]
