/** All signals that ask a process to stop, from a terminal or a supervisor: each stops the database too. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
