/** Thrown where something answers that is not the service: sending the credential again would not help. */
export class NotTheService extends Error {
  override readonly name = 'NotTheService';

  constructor(address: string, why = 'gives neither a token nor a reason, so it is not Causeway') {
    super(`${address} ${why}: use the address of the service`);
  }

  /** An answer has more than this, and nobody knows whether it ends. */
  static becauseOfLength(address: string, most: number): NotTheService {
    return new NotTheService(address, `answers with more than ${most / 1_000_000} MB, which Causeway does not`);
  }
}
