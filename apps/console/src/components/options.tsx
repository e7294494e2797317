import { words } from '../format/words.ts';

/** What one can choose from. */
export type Choices = readonly { value: string; name: string }[];

/** The choices of a field, inside its `select`. */
export function Options({ of: choices }: { of: Choices }) {
  return choices.map(({ value, name }) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
}

/** States of the service as choices, in small letters. */
export function stateChoices(states: readonly string[]): Choices {
  return states.map((value) => ({ value, name: words(value.toLowerCase()) }));
}

/** Values as choices, by the names that people give them. */
export function namedChoices(names: Readonly<Record<string, string>>): Choices {
  return Object.entries(names).map(([value, name]) => ({ value, name }));
}
