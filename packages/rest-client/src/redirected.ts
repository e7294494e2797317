/** Thrown where the service's address leads elsewhere. It is not followed: another host would get the key or a token. */
export class Redirected extends Error {
  override readonly name = 'Redirected';

  constructor(address: string, location: string | null | undefined) {
    super(`${address} redirects to ${location ?? 'nowhere'}: use that address`);
  }
}

export const isRedirect = (status: number) => status >= 300 && status < 400;
