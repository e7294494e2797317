/** What a cell says: its value, or what is wrong with it, in a sentence that does not repeat it. */
export type Reading = { value: unknown; fault?: undefined } | { value?: undefined; fault: string };
