/** The version of the command line, which is the service's. */
export const VERSION = '0.1.0';
