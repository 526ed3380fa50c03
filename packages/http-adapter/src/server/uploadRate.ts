import type { IncomingMessage } from "node:http"

/** Minimum rate of an upload. */
export interface UploadRule {
  readonly minBytesPerSecond: number
  /** Each interval of this length must reach the rate. */
  readonly windowMillis: number
}

/** Clock of the listener, which samples its uploads periodically. */
export interface UploadClock {
  readonly now: () => number
  /** Samples at this interval until the returned function is called. */
  readonly every: (millis: number, look: () => void) => () => void
}

/** Limits for uploads. */
export interface UploadSettings extends UploadRule {
  /** Age of a slow upload before it counts for its address. */
  readonly slowAfterMillis: number
  readonly maxSlowPerAddress: number
  readonly addressOf: (request: IncomingMessage) => string
  readonly clock: UploadClock
}

/** One sample of an upload: the new bytes, and the time that the server waited for them. */
export interface UploadSample {
  readonly millis: number
  readonly bytes: number
}

/** Last window of an upload. Time counts only while the server waits for the client, so a slow server does not affect the rate. */
export interface UploadRate extends UploadSample {
  readonly samples: ReadonlyArray<UploadSample>
}

export const emptyUploadRate: UploadRate = { samples: [], millis: 0, bytes: 0 }

/** Adds a sample, and drops old samples outside of the window. */
export const addUploadSample = ({ windowMillis }: UploadRule, before: UploadRate, sample: UploadSample): UploadRate => {
  const samples = [...before.samples, sample]
  let millis = before.millis + sample.millis
  let bytes = before.bytes + sample.bytes
  let first = 0
  for (const old of before.samples) {
    if (millis - old.millis < windowMillis) break
    millis -= old.millis
    bytes -= old.bytes
    first += 1
  }
  return { samples: samples.slice(first), millis, bytes }
}

/** Whether a full window is below the rate. */
export const isTooSlow = ({ minBytesPerSecond, windowMillis }: UploadRule, { bytes, millis }: UploadRate): boolean =>
  millis >= windowMillis && bytes * 1_000 < minBytesPerSecond * windowMillis

/** Below this multiple of the rate, an upload is slow. Each address has a limited number of slow uploads. */
const slowFactor = 4

export const isSlow = (
  { minBytesPerSecond }: UploadRule,
  { bytes, millis }: UploadRate,
  afterMillis: number
): boolean => millis >= afterMillis && bytes * 1_000 < slowFactor * minBytesPerSecond * millis
