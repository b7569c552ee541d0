/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lock.h"

#include <aftershock/base/file.h>

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

/* Whether @lock is still what is called @name: who gives it back takes the name away. */
static gboolean is_current(int lock, const char *name)
{
    struct stat held, named;
    return fstat(lock, &held) == 0 && stat(name, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

int aft_lock_take(const char *path, GError **error)
{
    g_autofree char *name = g_strconcat(path, ".lock", NULL);
    for (;;) {
        int lock = g_open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (lock < 0) {
            aft_file_failed(name, "cannot be made", error);
            return AFT_LOCK_NONE;
        }
        if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
            int reason = errno;
            close(lock);
            errno = reason;
            aft_file_failed(path,
                            reason == EWOULDBLOCK
                                ? "another sweep or merge is writing to it, wait for its end"
                                : "cannot be locked, choose a folder of another file system",
                            error);
            return AFT_LOCK_NONE;
        }
        if (is_current(lock, name)) {
            return lock;
        }
        close(lock);
    }
}

void aft_lock_give(int lock, const char *path)
{
    if (lock != AFT_LOCK_NONE) {
        g_autofree char *name = g_strconcat(path, ".lock", NULL);
        g_unlink(name);
        close(lock);
    }
}
