/** The variables of the environment that the command line reads (behaviour 25.9.4). */
export const VARIABLES = {
  CAUSEWAY_URL: 'the address of the service, in place of the one of the login',
  CAUSEWAY_API_KEY: 'the API key, in place of the one of the login',
  CAUSEWAY_DEBUG: '1: an unexpected error comes with the place where it happened',
  XDG_CONFIG_HOME: 'where the login is kept, in place of ~/.config',
  NO_COLOR: '1: no colours',
} as const;
