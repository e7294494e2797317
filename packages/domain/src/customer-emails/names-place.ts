const SCHEME_OR_ADDRESS = /:\/\/|www\.|mailto:|\S@\S/i;
/** `evil.example`: mail programs make a link of it. `J.Smith` is a name, and `St.John` looks like a host. */
const HOST = /[\p{L}\p{N}-]{2}\.\p{L}{2}|[\p{L}\p{N}]\.\p{Ll}{2}/u;
/** In a number of an account, which may have points between capitals. */
const HOST_IN_NUMBER = /[\p{L}\p{N}]\.\p{Ll}{2}|\.\p{L}{2,}[/:]/u;
const IP_ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}/;
/** Six digits or more, whatever stands between them. */
const PHONE_NUMBER = /\d(?:[\s()./-]*\d){5}/;
const FULL_STOPS = /[。｡．]/gu;
const INVISIBLE = /\p{Cf}/gu;

const read = (text: string) => text.replaceAll(INVISIBLE, '').replaceAll(FULL_STOPS, '.').normalize('NFKC');

/**
 * Whether a text says where else to go: an address, a link, or a telephone number. A name or a salutation that does is none,
 * and whoever gets an e-mail with it would believe that we say so.
 */
export function namesPlace(text: string): boolean {
  const plain = read(text);
  return [SCHEME_OR_ADDRESS, HOST, IP_ADDRESS, PHONE_NUMBER].some((pattern) => pattern.test(plain));
}

/** The same of a number of an account, which has digits. */
export function numberNamesPlace(text: string): boolean {
  const plain = read(text);
  return [SCHEME_OR_ADDRESS, HOST_IN_NUMBER].some((pattern) => pattern.test(plain));
}
