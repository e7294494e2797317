import { Parser } from 'saxen';
import { ZipDamage } from './zip.ts';

/** Told what an XML file holds, in its order; names are without their prefixes. */
export interface XmlListener {
  open?(name: string, attributes: () => Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** No cell may be longer: it would be held in memory. */
const MAX_SILENT_CHARACTERS = 8 * 1024 * 1024;

/** Reads XML piece by piece, each time telling the listener what has become whole. Throws a ZipDamage where it is none. */
export async function* readXml(pieces: AsyncIterable<Uint8Array>, listener: XmlListener): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let silentCharacters = 0;
  const parser = new Parser()
    .on('openTag', (name, attributes, decode) => {
      silentCharacters = 0;
      listener.open?.(localName(name), () => decodedAttributes(attributes(), decode));
    })
    .on('closeTag', (name) => listener.close?.(localName(name)))
    .on('text', (text, decode) => listener.text?.(decode(text)))
    .on('cdata', (text) => listener.text?.(text));
  try {
    for await (const piece of pieces) {
      silentCharacters += piece.length;
      parser.write(decoder.decode(piece, { stream: true }));
      if (silentCharacters > MAX_SILENT_CHARACTERS) throw new ZipDamage('it has a cell that is too long');
      yield;
    }
    parser.write(decoder.decode()).end();
  } catch (error) {
    if (error instanceof ZipDamage || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new ZipDamage('it holds what is no XML', { cause: error });
  }
  yield;
}

/** Reads all of it. */
export async function readWholeXml(pieces: AsyncIterable<Uint8Array>, listener: XmlListener): Promise<void> {
  for await (const _ of readXml(pieces, listener)) {
    // The listener has been told.
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

function decodedAttributes(attributes: Record<string, string>, decode: (text: string) => string) {
  for (const [name, value] of Object.entries(attributes)) if (value.includes('&')) attributes[name] = decode(value);
  return attributes;
}
