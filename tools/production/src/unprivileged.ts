import { spawnSync } from 'node:child_process';

/** The user `nobody` of most systems. */
const NOBODY = 65_534;

const PLAIN = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs'];
const NO_RIGHTS = [...PLAIN, '--inh-caps=-all', '--bounding-set=-all'];
/** In mounts of its own, so that nothing is left of them. */
const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount -o remount,bind,ro / && exec "$@"';

/** Whether the whole file system can be read-only for one process: some containers do not let root do this. */
export const canMount = spawnSync('unshare', ['--mount', 'mount', '-o', 'remount,bind,ro', '/']).status === 0;

/**
 * What has to stand before a command so that it runs as a user without rights, where `folder` and, if possible, all
 * else is read-only, as in a container. Only root can do this.
 */
export function unprivileged(folder: string): string[] {
  return canMount ? ['unshare', '--mount', 'sh', '-c', READ_ONLY, folder, ...NO_RIGHTS] : NO_RIGHTS;
}
