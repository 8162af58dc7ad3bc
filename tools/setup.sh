#!/bin/sh
# Create .venv in the clone and install Poise into it with its development tools.
# Needs Python 3.11 or later with venv and pip. PYTHON=... selects an interpreter.
set -eu
cd "$(dirname "$0")/.."

venv=.venv
stamp=$venv/.poise-setup

# A virtual environment contains its own path: it must be recreated after a move.
fingerprint() {
    pwd -P
    cksum <pyproject.toml
}

if [ -f "$stamp" ] && "$venv/bin/python" -c '' 2>/dev/null && [ "$(fingerprint)" = "$(cat "$stamp")" ]; then
    exit 0
fi

# Print "ok VERSION", or what is missing.
examine() {
    "$1" -c '
import sys
version = "%d.%d.%d" % sys.version_info[:3]
if sys.version_info < (3, 11):
    print("old " + version)
else:
    try:
        import ensurepip, venv
        print("ok " + version)
    except ImportError:
        print("bare " + version)
' 2>/dev/null || echo none
}

python=
version=
seen=
bare=
for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
    found=$(examine "$candidate")
    case $found in
        ok\ *) python=$candidate version=${found#ok }; break ;;
        bare\ *) bare=${found#bare }; seen="$seen $candidate is ${found#bare } without venv and pip." ;;
        old\ *) seen="$seen $candidate is ${found#old }." ;;
        *) [ -z "${PYTHON:-}" ] || seen="$seen $candidate does not run." ;;
    esac
done

if [ -z "$python" ]; then
    echo "make setup: no suitable Python found.${seen} Poise needs Python 3.11 or later with venv and pip." >&2
    if [ -n "$bare" ]; then
        minor=${bare#*.}
        echo "On Debian and Ubuntu: apt-get install python3-venv (or python3.${minor%%.*}-venv)." >&2
    else
        echo "On Debian and Ubuntu: apt-get install python3 python3-venv. Another Python: make setup PYTHON=/path/to/python3." >&2
    fi
    exit 1
fi

rm -f "$stamp"
if ! grep -qF "$(pwd -P)/$venv" "$venv/bin/activate" 2>/dev/null ||
    ! "$venv/bin/python" -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "Setting up .venv with Python $version: needed once, takes a few minutes and about 1 GB ..."
    "$python" -m venv --clear "$venv"
else
    echo "Updating .venv to match pyproject.toml ..."
fi
if ! "$venv/bin/python" -m pip install -qq --disable-pip-version-check --editable '.[dev]'; then
    echo "make setup: pip could not install Poise; its message is above. Run make setup again to continue." >&2
    exit 1
fi
fingerprint >"$stamp"
echo "Done: Poise is installed in .venv."
