import { Schema } from "effect"

/** What follows from a refusal of a store. */
export const StoreRemedy = Schema.Literals([
  /** The store's own fault, or a moment's: the same call may be made again. */
  "retry",
  /** Too much was asked at once: slow down, then retry. */
  "slow_down",
  /** What was agreed has ended: somebody has to agree again. */
  "reauthorize",
  /** This was not agreed to. */
  "missing_scope",
  /** The call itself was wrong. */
  "give_up"
])
export type StoreRemedy = typeof StoreRemedy.Type

/** The store has refused: nothing was done. */
export class StoreRefused extends Schema.TaggedError<StoreRefused>()("StoreRefused", {
  remedy: StoreRemedy,
  code: Schema.String,
  reason: Schema.String,
  retryAfterMillis: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    return `The store refused: ${this.reason} (${this.code})`
  }
}

/** The store was not reached. Whatever is asked of it may be asked again. */
export class StoreUnreachable extends Schema.TaggedError<StoreUnreachable>()("StoreUnreachable", {}) {
  override get message() {
    return "The store could not be reached. Nothing was changed. Try again in a moment."
  }
}

/** Why a call of a store has failed. */
export type StoreFailure = StoreRefused | StoreUnreachable
