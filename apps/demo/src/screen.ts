import { styleText } from 'node:util';

/** Where the demo writes to. */
export interface Screen {
  write(text: string): void;
  /** The text in a colour or weight, where the screen shows them. */
  paint(style: 'bold' | 'green' | 'red', text: string): string;
}

/** The terminal or file behind a stream; colours only where it has them and NO_COLOR is unset. */
export function createScreen(stream: NodeJS.WriteStream): Screen {
  return {
    write: (text) => {
      stream.write(text);
    },
    paint: (style, text) => styleText(style, text, { stream }),
  };
}
