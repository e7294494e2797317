/** Thrown where something answers that is not the service: sending the credential again would not help. */
export class NotTheService extends Error {
  override readonly name = 'NotTheService';

  constructor(address: string) {
    super(`${address} gives neither a token nor a reason, so it is not Causeway: use the address of the service`);
  }
}
