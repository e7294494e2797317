import { NO_TLS, NotTheService, Redirected, untrustedCertificate } from '@causeway/rest-client';
import { Failure } from '../frame/failure.ts';

/** Nothing is known of the service, for this reason; a wrong address or an unknown certificate is one that the user can fix. */
export function outOfReach(error: unknown, url: string, reason: string): Failure {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof Redirected || at instanceof NotTheService)
      return new Failure('usage', `${at.message}.`, { cause: error });
  }
  const certificate = untrustedCertificate(error);
  if (certificate === undefined)
    return new Failure('outOfReach', `${url} is out of reach: ${reason}.`, { cause: error });
  const { code, message } = certificate;
  if (code === NO_TLS) {
    return new Failure('usage', `${url} does not speak HTTPS: use the address of the service.`, { cause: error });
  }
  const sentence = `${url} has a certificate that cannot be verified: ${message} (${code}).`;
  const lines = [
    '  If it is of an authority of your own, set NODE_EXTRA_CA_CERTS to the file of its certificate and run the command',
    '  again. Otherwise tell the people who run the service, or look whether the address is right: nothing was sent there.',
  ];
  return new Failure('outOfReach', sentence, { lines, cause: error });
}
