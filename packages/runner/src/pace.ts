/**
 * How lanes work just now: not at all, gently (only one of them, and part of its time), or fully. Numbers, because a
 * thread shares one with another.
 */
export const PACE = { NONE: 0, GENTLE: 1, FULL: 2 } as const;

export type Pace = (typeof PACE)[keyof typeof PACE];
