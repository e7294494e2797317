import type { TEMPLATE_NAMES, UNSUBSCRIBE_NAME } from '@causeway/contracts';

/** The texts of an e-mail: as templates, or rendered. */
export interface EmailTexts {
  subject: string;
  text: string;
  html: string;
}

export const TEXT_NAMES = ['subject', 'text', 'html'] as const;
export type TextName = (typeof TEXT_NAMES)[number];

/** Why a text cannot be rendered. */
export interface TextFault {
  attr: TextName;
  /** For the author of the template; it may hold values. */
  detail: string;
}

type Names = typeof TEMPLATE_NAMES;
/** What templates can name, with its values. */
export type TemplateValues = { [Group in keyof Names]: Record<Names[Group][number], string> } & Record<
  typeof UNSUBSCRIBE_NAME,
  string
>;
