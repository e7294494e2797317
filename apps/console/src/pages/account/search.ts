export interface AccountSearch {
  /** Only this part of the timeline. */
  show?: 'accepted' | 'refused';
  /** Only entries with this text. */
  find?: string | undefined;
}
