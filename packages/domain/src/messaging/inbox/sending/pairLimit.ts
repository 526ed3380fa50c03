import type { PairLimit } from "../../chat/index.ts"

/** Messages of an account to one recipient since the start of a burst. Times are milliseconds of a monotonic clock. */
export interface PairState {
  readonly startedAt: number
  readonly count: number
}

/** Time at which the silence after a burst has repaid it: one interval for each message. */
const repaidAt = ({ count, startedAt }: PairState, { intervalMillis }: PairLimit): number =>
  startedAt + count * intervalMillis

/** Whether the state no longer affects the next message. */
export const isRepaid = (state: PairState, limit: PairLimit, now: number): boolean => now >= repaidAt(state, limit)

/** A granted message with the next state, or the time of the next possible message. */
export type PairGrant =
  | { readonly kind: "granted"; readonly state: PairState }
  | { readonly kind: "wait"; readonly until: number }

/** Takes one message to a recipient: any number up to the burst within one interval, then none until the burst is repaid. */
export const takePair = (state: PairState | null, limit: PairLimit, now: number): PairGrant => {
  if (state === null || isRepaid(state, limit, now)) return { kind: "granted", state: { startedAt: now, count: 1 } }
  const isInBurst = now - state.startedAt < limit.intervalMillis && state.count < limit.burst
  return isInBurst
    ? { kind: "granted", state: { ...state, count: state.count + 1 } }
    : { kind: "wait", until: repaidAt(state, limit) }
}
