import {
  expired,
  http2Only,
  type MakePlace,
  neverAccepted,
  noSuchHost,
  nothingListens,
  notYetValid,
  otherHost,
  plainHttpOnTlsPort,
  resetInHandshake,
  trusted,
} from "./connections";

export interface ConnectionRow {
  readonly name: string;
  readonly place: MakePlace;
  readonly expected: { readonly how: "not sent"; readonly requests: number };
  /** In milliseconds, where the default is too long to wait for. */
  readonly deadline?: number;
  /** With the variable that switches verification off in Node.js. */
  readonly unverified?: boolean;
}

const again = { how: "not sent", requests: 3 } as const;
const stop = { how: "not sent", requests: 1 } as const;

/** Faults before any part of a request is sent. The client retries after temporary ones. */
export const connectionRows: readonly ConnectionRow[] = [
  { name: "refused", place: nothingListens, expected: again },
  { name: "host name that does not exist", place: noSuchHost, expected: again },
  { name: "reset in the TLS handshake", place: resetInHandshake, expected: again },
  { name: "connection that is never accepted", place: neverAccepted, expected: stop, deadline: 400 },
  { name: "certificate of an unknown authority", place: trusted, expected: stop },
  { name: "certificate of another host", place: otherHost, expected: stop },
  { name: "certificate that expired", place: expired, expected: stop },
  { name: "certificate that is not valid yet", place: notYetValid, expected: stop },
  { name: "plain HTTP on the TLS port", place: plainHttpOnTlsPort, expected: stop },
  { name: "peer that speaks HTTP/2 only", place: http2Only, expected: stop },
  ...[trusted, otherHost, expired].map((place, at) => ({
    name: `certificate ${["of an unknown authority", "of another host", "that expired"][at]}, NODE_TLS_REJECT_UNAUTHORIZED=0`,
    place,
    expected: stop,
    unverified: true,
  })),
];
