import { Schema } from "effect"
import { ActorRef, Timestamp } from "../../../kernel/index.ts"

/**
 * The time from when a conversation is opened until it is resolved. Each time that it is opened again, another one begins. Merges of
 * contacts neither begin nor end one.
 */
export const Stretch = Schema.Struct({
  /** The first one of a conversation is 1. */
  number: Schema.Int,
  /** When the contact wrote what opened it, or when somebody did. */
  startedAt: Timestamp,
  resolvedAt: Schema.NullOr(Timestamp),
  resolvedBy: Schema.NullOr(ActorRef)
}).annotate({ identifier: "Stretch" })
export type Stretch = typeof Stretch.Type
