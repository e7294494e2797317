/** Letters, and what stands between them in names. After a point comes a space, or in `J.R. Smith` the next initial. */
const NAME =
  /^(?:[\p{L}\p{M}\s'‘’“”·&,()/+!-]|(?<=[\p{L}\p{M})])\.(?=$|[\s,)-])|(?<=(?:^|[^\p{L}\p{M}])\p{L})\.(?=\p{L}\.))*$/u;
/** Longer ones are sentences. */
const MOST_CHARACTERS = 60;
/** In the name of a company: `Studio 54`, and no telephone number. */
const DIGITS = /\d/g;
const MOST_DIGITS = 4;
/** Words with a digit each, or one after a short prefix, and points only before digits: no sentence and no host. */
const NUMBER_WORD = String.raw`(?=\S*\d)(?:[\p{L}\p{M}\p{N}_/()-]|\.(?=\d))+`;
const NUMBER = new RegExp(`^(?:(?:\\p{L}{1,3} )?${NUMBER_WORD}|(?:${NUMBER_WORD}(?: |$))+)$`, 'u');
const IP_ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}/;
const INVISIBLE = /\p{Cf}/gu;

const read = (text: string) => text.replaceAll(INVISIBLE, '').normalize('NFKC');

/**
 * Whether a text is nothing but a name: no address, no link, no telephone number. Whoever gets an e-mail with one of those
 * would believe that we say so, and what looks like one differs from one mail program to the next: so a name is described here,
 * and not a link.
 */
export function isName(text: string): boolean {
  const plain = read(text);
  return plain.length <= MOST_CHARACTERS && NAME.test(plain);
}

/** Whether a text is the name of a person or of a company, which may have a few digits. */
export function isCompanyName(text: string): boolean {
  const plain = read(text);
  return (plain.match(DIGITS) ?? []).length <= MOST_DIGITS && isName(plain.replaceAll(DIGITS, ''));
}

/** Whether a text is nothing but a number of an account: no sentence, no link, no address. */
export function isAccountNumber(text: string): boolean {
  const plain = read(text);
  return NUMBER.test(plain) && !IP_ADDRESS.test(plain);
}
