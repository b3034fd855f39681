# The image of the service. docs/deployment.md says how to build and run it.

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
# The first one builds, the second one leaves only what the service needs.
RUN npm ci --no-audit --no-fund \
  && npm ci --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /app
# Owned by root: the service cannot change its own program.
COPY --from=build /build/package.json /build/openapi.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
RUN mkdir /data && chown node:node /data \
  && ln -s /app/dist/cli/main.js /usr/local/bin/rollcall
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=2", "--no-maglev", "--no-allocation-site-pretenuring", "--v8-pool-size=1", "dist/server.js"]
