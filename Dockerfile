# A Cuebook server, built from this clone. Another image of Node 24 on glibc may take the place of the official one:
# --build-arg NODE_IMAGE=...
ARG NODE_IMAGE=docker.io/library/node:24-trixie-slim

FROM ${NODE_IMAGE} AS package
WORKDIR /source
COPY package.json package-lock.json ./
COPY scripts/platform/package.json scripts/platform/
# Packages bring what is compiled in them. Their scripts would compile it again, for which this image has no compiler.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm pack --pack-destination /tmp
# Of better-sqlite3, only the library for this system is used.
RUN npm install --global --prefix /opt/cuebook --ignore-scripts --omit=dev --no-audit --no-fund /tmp/cuebook-*.tgz \
 && cd /opt/cuebook/lib/node_modules/cuebook/node_modules/better-sqlite3 \
 && rm -r deps src prebuilds/darwin-* prebuilds/linuxmusl-* prebuilds/win32-*

FROM ${NODE_IMAGE}
RUN useradd --system --create-home --home-dir /var/lib/cuebook cuebook
COPY --from=package /opt/cuebook /usr/local
USER cuebook
WORKDIR /var/lib/cuebook
# A published server: it starts only with API_KEYS or IDENTITY_ISSUER.
ENV DATA_DIR=/var/lib/cuebook HOST=0.0.0.0 PORT=4747
EXPOSE 4747
HEALTHCHECK --interval=10s --timeout=3s --start-period=40s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4747/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["cuebook", "serve"]
