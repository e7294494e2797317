/** The caller: an organisation's key or the service team's, which may be one that only reads. */
export type Actor =
  | { kind: 'organisation'; apiKeyId: string; organisationId: string }
  | { kind: 'staff'; apiKeyId: string; isReadOnly?: true };
