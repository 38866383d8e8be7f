// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MarbledClient

exit(Entry.run(Array(CommandLine.arguments.dropFirst())).rawValue)
