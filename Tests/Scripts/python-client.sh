#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes Sources/python/marbled/api.py from what a daemon that was built says of itself.
set -euo pipefail

programs=${1:-.build/debug}
python=Sources/python
"$programs/marblectl" --spawn call rpc.discover | python3 $python/generate.py >$python/marbled/api.py.new
mv $python/marbled/api.py.new $python/marbled/api.py
