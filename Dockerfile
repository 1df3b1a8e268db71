# The bot itself. Build: docker build -t regreen .
# Run: docker run --env-file regreen.env -v regreen:/var/lib/regreen -p 8000:8000 \
#        -v /var/run/docker.sock:/var/run/docker.sock --group-add "$(stat -c %g /var/run/docker.sock)" regreen
#
# Behind a company's own index or CA: --build-arg PIP_INDEX_URL=..., and the CA bundle as `ca.crt` in this folder.
# Both are used in the first stage only, and no layer of the image comes from there but the finished environment.
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS environment
USER root
ARG PIP_INDEX_URL
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
COPY requirements.lock ca.cr[t] ./
RUN python3 -m venv /opt/regreen \
    && if [ -f ca.crt ]; then export PIP_CERT=/src/ca.crt; fi \
    && /opt/regreen/bin/pip install --require-hashes -r requirements.lock
COPY . .
RUN if [ -f ca.crt ]; then export PIP_CERT=/src/ca.crt; fi \
    && /opt/regreen/bin/pip install --no-deps .

FROM ${BASE}
USER root
RUN command -v git >/dev/null || { \
      apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*; }
RUN echo 'regreen:x:10010:10010:regreen:/var/lib/regreen:/usr/sbin/nologin' >>/etc/passwd \
    && echo 'regreen:x:10010:' >>/etc/group \
    && mkdir -p /var/lib/regreen && chown 10010:10010 /var/lib/regreen
COPY --from=environment /opt/regreen /opt/regreen
ENV PATH=/opt/regreen/bin:/usr/local/bin:/usr/bin:/bin HOME=/var/lib/regreen PYTHONUNBUFFERED=1
USER 10010:10010
WORKDIR /var/lib/regreen
VOLUME /var/lib/regreen
EXPOSE 8000
ENTRYPOINT ["regreen"]
CMD ["serve"]
