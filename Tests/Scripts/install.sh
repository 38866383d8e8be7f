#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install.sh DESTDIR PREFIX RELEASE-FOLDER PLUGIN...
#
# The programs stand with the Swift runtime that they were built with, and the library that keeps stores, in
# PREFIX/lib/marbled, where they find both by themselves; PREFIX/bin holds links to them. So the machine needs no Swift, and a daemon and
# its plugins share one runtime.
set -euo pipefail

destdir=$1 prefix=$2 release=$3
shift 3
root=$destdir$prefix
home=$root/lib/marbled

install -d "$root/bin" "$home/plugins" "$root/include" "$root/share/doc/marbled" \
    "$root/lib/systemd/system" "$root/lib/systemd/user" "$root/lib/sysusers.d"

install -m 755 "$release/marbled" "$release/marblectl" "$home/"
install -m 644 "$release/libMarbledStore.so" "$home/"
ln -sf ../lib/marbled/marbled "$root/bin/marbled"
ln -sf ../lib/marbled/marblectl "$root/bin/marblectl"

libraries=("$release/libMarbledStore.so")
for plugin in "$@"; do
    install -m 644 "$release/lib$plugin.so" "$home/plugins/"
    libraries+=("$release/lib$plugin.so")
    # The manifest beside the library names it.
    for manifest in "$release"/*.plugin.json; do
        if grep -q "\"lib$plugin.so\"" "$manifest"; then install -m 644 "$manifest" "$home/plugins/"; fi
    done
done

# What comes with the compiler and not with the system.
runtime=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/../lib/swift/linux
runtime=$(readlink -f "$runtime")
ldd "$release/marbled" "$release/marblectl" "${libraries[@]}" |
    awk -v from="$runtime/" 'index($3, from) == 1 { print $3 }' | sort -u |
    while read -r library; do install -m 644 "$library" "$home/"; done

# The Python client, where Debian's Python looks for what a machine's owner installs.
python=$root/lib/python3/dist-packages/marbled
install -d "$python"
install -m 644 Sources/python/marbled/*.py Sources/python/marbled/py.typed "$python/"

# Manual pages and completions, as the programs print them.
page() { # page PROGRAM SECTION NAME [WORD]
    install -d "$root/share/man/man$2"
    "$release/$1" man "${@:4}" >"$root/share/man/man$2/$3.$2"
    chmod 644 "$root/share/man/man$2/$3.$2"
}
page marblectl 1 marblectl
page marbled 8 marbled
page marbled 5 marbled.yaml marbled.yaml
page marbled 7 marbled-protocol marbled-protocol

completion() { # completion PROGRAM SHELL FILE
    install -d "$root/share/$(dirname "$3")"
    "$release/$1" --generate-completion-script "$2" >"$root/share/$3"
    chmod 644 "$root/share/$3"
}
# Debian's zsh looks in site-functions below /usr/local alone.
zsh=zsh/site-functions
[ "$prefix" = /usr ] && zsh=zsh/vendor-completions
for program in marbled marblectl; do
    completion $program bash bash-completion/completions/$program
    completion $program zsh $zsh/_$program
    completion $program fish fish/vendor_completions.d/$program.fish
done

install -m 644 Sources/CMarbledABI/include/marbled.h "$root/include/"
install -m 644 README.md LICENSE "$root/share/doc/marbled/"
for scope in system user; do
    folder=systemd
    [ "$scope" = user ] && folder=systemd/user
    for unit in marbled.service marbled.socket; do
        sed "s|@bindir@|$prefix/bin|g" "$folder/$unit" >"$root/lib/systemd/$scope/$unit"
        chmod 644 "$root/lib/systemd/$scope/$unit"
    done
done
install -m 644 systemd/marbled.sysusers.conf "$root/lib/sysusers.d/marbled.conf"
printf 'installed in %s\n' "$root"
