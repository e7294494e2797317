/** What is shown in place of a value that might describe a person (behaviour 14.8.6). */
export const MASK = '•••••';
