// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MarbledClient

Terminal.holdStandardDescriptors()
exit(Entry.run(Array(CommandLine.arguments.dropFirst())).rawValue)
