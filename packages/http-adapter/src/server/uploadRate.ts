import type { IncomingMessage } from "node:http"

/** How slowly an upload may arrive. */
export interface UploadRule {
  readonly minBytesPerSecond: number
  /** Any stretch of this length must have the rate. */
  readonly windowMillis: number
}

/** The clock of the listener, which looks at its uploads now and then. */
export interface UploadClock {
  readonly now: () => number
  /** Looks so often until the returned function is called. */
  readonly every: (millis: number, look: () => void) => () => void
}

/** How files may arrive. */
export interface UploadSettings extends UploadRule {
  /** From when on a slow upload counts among those of its address. */
  readonly slowAfterMillis: number
  readonly maxSlowPerAddress: number
  readonly addressOf: (request: IncomingMessage) => string
  readonly clock: UploadClock
}

/** One look at an upload: the bytes since the look before, and how long the server waited for them. */
export interface UploadSample {
  readonly millis: number
  readonly bytes: number
}

/** The last window of an upload. Time counts only while the server waits for the client: a server that reads slowly blames no client. */
export interface UploadRate extends UploadSample {
  readonly samples: ReadonlyArray<UploadSample>
}

export const emptyUploadRate: UploadRate = { samples: [], millis: 0, bytes: 0 }

/** Adds a look, and drops the oldest ones that the window does not need. */
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

/** Whether a whole window has passed below the rate. */
export const isTooSlow = ({ minBytesPerSecond, windowMillis }: UploadRule, { bytes, millis }: UploadRate): boolean =>
  millis >= windowMillis && bytes * 1_000 < minBytesPerSecond * windowMillis

/** An upload with less than this multiple of the rate is slow: allowed, but only some of them for each address. */
const slowFactor = 4

/** Whether an upload has been slow for this long. */
export const isSlow = (
  { minBytesPerSecond }: UploadRule,
  { bytes, millis }: UploadRate,
  afterMillis: number
): boolean => millis >= afterMillis && bytes * 1_000 < slowFactor * minBytesPerSecond * millis
