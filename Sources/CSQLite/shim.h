// SPDX-License-Identifier: Apache-2.0

#include <sqlite3.h>

/// Computed macros, which Swift cannot see.
static const int CSQLITE_IOERR_SHORT_READ = SQLITE_IOERR_SHORT_READ;
static const int CSQLITE_IOERR_CORRUPTFS = SQLITE_IOERR_CORRUPTFS;

/// Has the next close leave the log as it is. In C, because Swift cannot call functions with any number
/// of arguments.
static inline int csqlite_leave_log(sqlite3 *_Nonnull database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// SQLite copies what is bound in this way.
static inline int csqlite_bind(
    sqlite3_stmt *_Nonnull statement, int index, const void *_Nullable text, int count) {
    return sqlite3_bind_text(statement, index, count > 0 ? text : "", count, SQLITE_TRANSIENT);
}
