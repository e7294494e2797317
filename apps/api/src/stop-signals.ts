/** All signals that ask a process to end, from a terminal or a supervisor: after each the database is stopped, too. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
