# The program in a container: docker build -t etalage .

FROM node:22-bookworm-slim AS build
# The Node 26 that npm brings needs it.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1
WORKDIR /source
COPY . .
RUN npm run release -- /release

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 libstdc++6 ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin etalage \
 && install --directory --owner etalage --mode 700 /data
COPY --from=build /release /app
WORKDIR /app
ENV NODE_ENV=production PATH=/app/bin:$PATH MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072 DATA_DIR=/data PORT=3000
USER etalage
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/healthz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--min-semi-space-size=4", "--max-semi-space-size=4", "--no-maglev", "dist/server/main.js"]
