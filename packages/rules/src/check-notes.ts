import { type FieldError, LIMITS, Note } from '@causeway/contracts';

/** What the rules of notes depend on besides the request. */
export interface CheckNotesOptions {
  /** YYYY-MM-DDTHH:MM:SSZ. */
  now: string;
}

/**
 * The rule of notes (behaviour 2.4, 4) that depends on the time: a note sent without `created_at` is created now, so
 * its `unpin_at` must be after the current time. The schema has the rule for notes with `created_at`. It checks the
 * unvalidated request and skips values of the wrong type, and lists that the schema refuses for their length; it
 * reports problems up to the maximum.
 */
export function checkNotes(request: unknown, { now }: CheckNotesOptions): FieldError[] {
  const { notes } = Object(request) as { notes?: unknown };
  const listed: unknown[] = Array.isArray(notes) && notes.length <= LIMITS.notes ? notes : [];
  const errors = listed.flatMap((note, index) => {
    const { created_at, unpin_at } = Object(note) as Record<string, unknown>;
    const unpinAt = created_at === undefined ? Note.shape.unpin_at.safeParse(unpin_at).data : undefined;
    return unpinAt !== undefined && unpinAt <= now ? [{ ...UNPINNED_BEFORE_NOW, attr: `notes.${index}.unpin_at` }] : [];
  });
  return errors.slice(0, LIMITS.reported_errors);
}

const UNPINNED_BEFORE_NOW: Omit<FieldError, 'attr'> = {
  detail: 'Must be later than now, when a note without created_at is created.',
  code: 'note_unpin_at_earlier_than_creation_date',
};
