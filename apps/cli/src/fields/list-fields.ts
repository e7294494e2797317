import { descriptionOfField, documentedPaths, requiredFields } from '@causeway/contracts';
import type { z } from 'zod';
import { cellKindOf } from '../convert/cell-kind.ts';
import { closestNames } from '../convert/closest-names.ts';
import { schemasOf } from '../convert/header-path.ts';
import { viewOf } from '../convert/kind-names.ts';
import { ACCOUNT_NUMBER, AccountNumber, KINDS, type Kind, keyColumns, pathOf } from '../convert/kinds.ts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { choicesOf } from '../map/cells-of-field.ts';
import { tableLines } from '../terminal/lines.ts';

/** A field of the payload, as a column of a kind. */
interface ListedField {
  /** The view of a mapping; a file's kind has hyphens for its underscores. */
  view: string;
  column: string;
  /** In a line of a book. */
  path: string;
  type: string;
  /** Below the first level: with the object that it is in. `some`: of some types, such as the reason of a CHARGE. */
  required: boolean | 'some';
  /** The values that it takes, if no others. */
  choices: readonly unknown[];
  description: string;
}

/** Lists the fields that have all words; needs no service (behaviour 25.2.15). */
export async function listFields(
  _context: Context,
  { words: [words] }: { words: readonly [readonly string[]] },
): Promise<Result> {
  const fields = fieldsWith(words);
  if (fields.length === 0) {
    const known = KINDS.flatMap((kind) => fieldsOf(kind).map(({ view, column }) => `${view}.${column}`));
    const closest = closestNames(words.join('_'), known);
    throw new Failure('usage', `No field has ${words.join(' and ')}.`, {
      lines: closest.length > 0 ? [`  Is it ${closest.join(', or ')}?`] : [],
    });
  }
  const rows = fields.map(({ view, column, type, required, choices, description }) => [
    `${view}.${column}`,
    type,
    required === 'some' ? 'required of some' : required ? 'required' : '',
    [firstSentence(description), ...(choices.length > 0 ? [`One of ${choices.join(', ')}.`] : [])].join(' ').trim(),
  ]);
  return { document: { fields }, lines: tableLines(rows) };
}

function fieldsWith(words: readonly string[]): ListedField[] {
  const [first = '', ...rest] = words.map((word) => word.toLowerCase());
  const kind = KINDS.find(({ name }) => viewOf(name) === first.replaceAll('-', '_'));
  const others = kind === undefined ? [first, ...rest] : rest;
  return (kind === undefined ? KINDS : [kind]).flatMap(fieldsOf).filter((field) => {
    const text = `${field.view}.${field.column} ${field.path} ${field.description}`.toLowerCase();
    return others.every((word) => text.includes(word));
  });
}

function fieldsOf(kind: Kind): ListedField[] {
  const view = viewOf(kind.name);
  const keys = keyColumns(kind).map((column): ListedField => {
    const description = `Where the row belongs: the ${column} of what it is part of.`;
    const isOptional = kind.into?.steps.some((step) => step.column === column && step.isOptional) === true;
    const path = column === ACCOUNT_NUMBER ? `account.${column}` : pathOf(kind, column);
    const type = column === ACCOUNT_NUMBER ? cellKindOf([AccountNumber]) : 'text';
    return { view, column, path, type, required: !isOptional, choices: [], description };
  });
  const paths = documentedPaths(kind.schema).filter((path) => !isOfOtherView(kind, path));
  const own = paths.filter((path) => !keys.some(({ column }) => column === path));
  return [...keys, ...own.map((column) => fieldAt(kind, column))];
}

function fieldAt(kind: Kind, column: string): ListedField {
  const steps = column.split('.');
  const schemas = schemasOf(kind.schema, steps);
  const choices = choicesOf(schemas, column);
  // Each form has a sentence of its own, such as "Always CHARGE."
  const isOneOfForms = choices.length > 1 && schemas.length > 1;
  const descriptionOf = (path: string) => descriptionOfField(kind.schema, path);
  return {
    view: viewOf(kind.name),
    column,
    path: pathOf(kind, column).replaceAll(/\.0(?=\.|$)/g, '.*'),
    type: cellKindOf(schemas),
    required: isRequired(kind.schema, steps),
    choices,
    description: isOneOfForms ? '' : (descriptionOf(column) ?? descriptionOf(column.replace(/\.0$/, '')) ?? ''),
  };
}

function isRequired(schema: z.core.$ZodType, steps: readonly string[]): ListedField['required'] {
  const forms = schemasOf(schema, steps.slice(0, -1));
  const requiring = forms.filter((form) => requiredFields(form).includes(steps.at(-1) ?? '')).length;
  return requiring === 0 || requiring === forms.length ? requiring > 0 : 'some';
}

/** Lists of rows of another kind are listed there. */
const isOfOtherView = (kind: Kind, path: string) =>
  KINDS.some((other) => listsOf(other, kind).some((list) => path.startsWith(list)));

/** Where the rows of one kind are in those of another. */
function listsOf({ field, fieldOfSeveral, into, ...other }: Kind, kind: Kind): string[] {
  if (field === '' || other.name === kind.name) return [];
  if (kind.field === '') return [`${field}.`, ...(fieldOfSeveral === undefined ? [] : [`${fieldOfSeveral}.`])];
  if (into === undefined || ![field, into.orField].includes(kind.field)) return [];
  const lists = [...into.steps.map(({ list }) => list).filter((list) => list !== ''), into.list];
  // Of a part, such as readings, no other is part.
  return kind.into === undefined ? [lists.map((list) => `${list}.0.`).join('')] : [];
}

const firstSentence = (text: string) => /^.*?[.](?= [A-Z`]|$)/s.exec(text)?.[0] ?? text;
