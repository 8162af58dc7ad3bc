#!/bin/sh
# Install Chromium for the browser tests if possible. Never fails: without Chromium the tests are skipped.

have_browser() {
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" >/dev/null 2>&1 && return 0
    done
    return 1
}

have_browser && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium for the browser tests ..."
    export DEBIAN_FRONTEND=noninteractive
    timeout 120 apt-get update -qq >/dev/null 2>&1
    timeout 300 apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=60 chromium \
        </dev/null >/dev/null 2>&1
    have_browser && exit 0
fi

echo "No Chromium found: the browser tests will be skipped. On Debian: apt-get install chromium"
exit 0
