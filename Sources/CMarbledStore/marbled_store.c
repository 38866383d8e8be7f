// SPDX-License-Identifier: Apache-2.0
#include "marbled_store.h"
