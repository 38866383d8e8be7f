// SPDX-License-Identifier: Apache-2.0
// simdjson is C++: CSimdJSON includes it, Swift never does. This module only carries the link flag.
