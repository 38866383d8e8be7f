// SPDX-License-Identifier: Apache-2.0
#include "CSQLite.h"

#include <sqlite3.h>
#include <stddef.h>

void csqlite_leave_log(void *connection, bool leaves) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, (int)leaves, (int *)NULL);
}
