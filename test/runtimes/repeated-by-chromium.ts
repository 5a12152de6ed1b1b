import {
  type Fault,
  type Http1Fault,
  type Http2Fault,
  http1Faults,
  http2Faults,
} from "./faults.ts";
import type { Protocol } from "./loopback-server.ts";

/*
 * Faults after which Chromium itself sends a POST again. No client in a page can prevent it:
 * Chromium refuses a streamed body over HTTP/1.1. Over HTTP/2 such a body and a fault can crash
 * Chromium's network service, which ends the requests of all tabs.
 */

export const repeatedOverHttp1: readonly Http1Fault[] = [
  "resets the connection",
  "closes the connection",
  "resets the connection after 300 ms",
  "closes the connection after 300 ms",
  "answers 408 and closes",
  "answers 421",
];

const repeatedOverHttp2: readonly Http2Fault[] = [
  "resets the connection",
  "closes the connection",
  "sends GOAWAY with an older stream as the last and closes",
  "sends GOAWAY with this stream as the last and closes",
  "answers 421",
  "resets the stream with REFUSED_STREAM",
  "resets the stream with HTTP_1_1_REQUIRED",
];

/** Playwright's `ignoreHTTPSErrors` breaks every connection once before it accepts it. */
export const acceptCertificate = "--ignore-certificate-errors";

/** Faults of a service or a relay over one protocol, and those that Chromium answers by a repeat. */
export interface Setting {
  readonly protocol: Protocol;
  readonly faults: Readonly<Record<string, Fault>>;
  /** Faults after which Chromium itself sends the POST again. */
  readonly repeated: readonly string[];
}

export const settings: readonly Setting[] = [
  { protocol: "HTTP/1.1", faults: http1Faults, repeated: repeatedOverHttp1 },
  { protocol: "HTTP/2", faults: http2Faults, repeated: repeatedOverHttp2 },
];
