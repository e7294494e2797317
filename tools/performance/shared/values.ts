import { randomInt } from 'node:crypto';

/** As times are sent and answered. */
export const utcSeconds = (instant: Date) => `${instant.toISOString().slice(0, 19)}Z`;

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const randomAccountNumber = () => `A-${Array.from({ length: 8 }, () => ALPHABET[randomInt(32)]).join('')}`;
