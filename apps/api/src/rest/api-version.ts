/** The version of the interface: the /v1/ of its paths, and the additions since. */
export const API_VERSION = '1.0.0';
