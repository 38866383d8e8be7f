// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Whether the tests and the programs they start run under a sanitizer: it keeps what is freed, to see who
/// still uses it, so that memory tells nothing, and it answers a crash itself.
package enum Sanitizer {
    package static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
