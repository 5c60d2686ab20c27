# The service as an image: docs/operate.md says how to run it. `npm run test:image` executes these steps where no
# container engine runs.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
# What .dockerignore lets in: sources and manifests, also those of the packages in clients/ that the service depends on.
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
RUN npm run build
# Of the repository there are only the pages here, so where their other links lead is not looked at.
RUN npm run docs -- --pages-alone
# The Node that the repository brings for its scripts is one of the optional packages.
RUN npm prune --omit=dev --omit=optional --ignore-scripts
RUN node tools/image/gather.mjs /image

FROM node:24.21.0-bookworm-slim
# In a container the service has to listen on every address of it, and says loudly what that means: whoever reaches the
# port can do everything. Publish it to where only those come who may (compose.yaml: this machine), or put a proxy with
# authentication in front.
LABEL org.opencontainers.image.title="Flowgate" \
      org.opencontainers.image.description="Workflow orchestration: YAML workflows, HTTP units, durable runs, human gates" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8787 \
    FLOWGATE_DATA_DIR=/data
RUN mkdir /data && chown node:node /data && chmod 700 /data
WORKDIR /app
# Of root: the service cannot change its own code, on a read-only file system or not.
COPY --from=build /image/ ./
USER node
# All that is written; the rest may be read-only.
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
