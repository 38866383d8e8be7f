// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import Streams

extension JSONDecoder: DataDecoder {}
