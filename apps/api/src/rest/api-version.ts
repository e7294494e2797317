/** The version of the interface: the /v1/ of its paths, and what was added to it since. */
export const API_VERSION = '1.0.0';
