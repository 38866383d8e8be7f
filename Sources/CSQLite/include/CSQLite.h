// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>

/// Has a connection to SQLite (`sqlite3 *`) leave its log as it is when it is closed, or move it into the
/// file. In C, because Swift cannot call functions with any number of arguments.
void csqlite_leave_log(void *_Nonnull connection, bool leaves);
