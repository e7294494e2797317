import { styleText } from 'node:util';

/** Where the demo writes to. */
export interface Screen {
  write(text: string): void;
  /** Whether a line can be written over. */
  isTerminal: boolean;
  /** The text in a colour or weight, where the screen shows them. */
  paint(style: 'bold' | 'dim' | 'green' | 'red' | 'cyan', text: string): string;
}

/** The terminal or file behind a stream; colours only where it has them and NO_COLOR is unset. */
export function createScreen(stream: NodeJS.WriteStream): Screen {
  return {
    write: (text) => {
      stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    paint: (style, text) => styleText(style, text, { stream }),
  };
}
