# Builds an image of the release (docs/operate.md): docker build --tag larkfell .
# For another processor: docker buildx build --platform linux/arm64 --tag larkfell .
FROM node:24.11-bookworm-slim AS build
# Node 26, which the build installs itself, needs libatomic1; the release carries it.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends libatomic1 \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN npm run release \
  && mkdir /larkfell \
  && tar -xzf release/larkfell-*.tar.gz --strip-components=1 -C /larkfell

FROM debian:bookworm-slim
COPY --from=build /larkfell /opt/larkfell
# A new volume gets the owner and the mode of the folder in the image.
RUN ln -s /opt/larkfell/larkfell /usr/local/bin/larkfell \
  && useradd --uid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin larkfell \
  && install -d -o larkfell -m 700 /data /backups
USER 10001
WORKDIR /data
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data BACKUP_DIR=/backups
EXPOSE 3000
VOLUME ["/data", "/backups"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s CMD ["larkfell", "healthcheck"]
ENTRYPOINT ["larkfell"]
CMD ["start"]
