import { Schema } from "effect"

/** What follows from a refusal of the provider. */
export const Remedy = Schema.Literals([
  /** The provider's own fault, or a moment's: the same call may be made again, later and later. */
  "retry",
  /** The number sends too fast: slow down, then retry. */
  "slow_down",
  /** This recipient had a message just now: retry for this one later, the others go on. */
  "delay_recipient",
  /** This recipient cannot get this message. */
  "skip_recipient",
  /** This recipient has had enough of marketing for now. */
  "skip_for_now",
  /** This recipient wants no marketing: unsubscribe. */
  "opt_out",
  /** The service window is closed: only a template may go. */
  "needs_template",
  /** The template is not as it was thought to be: fetch it again. */
  "refresh_template",
  /** The account may not send until its owner has fixed something. */
  "stop_account",
  /** The access of the account has ended: connect it again. */
  "reauthorize",
  /** The call itself was wrong. */
  "give_up"
])
export type Remedy = typeof Remedy.Type

/** The provider has refused: nothing was sent. */
export class ChannelRefused extends Schema.TaggedError<ChannelRefused>()("ChannelRefused", {
  remedy: Remedy,
  code: Schema.Int,
  reason: Schema.String,
  retryAfterMillis: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    return `The chat provider refused: ${this.reason} (${this.code})`
  }
}

/** The provider was not reached: nothing was sent. */
export class ChannelUnreachable extends Schema.TaggedError<ChannelUnreachable>()("ChannelUnreachable", {}) {
  override get message() {
    return "The chat provider could not be reached."
  }
}

/** The call went out and no answer came that says what became of it. It is never repeated by itself. */
export class ChannelInDoubt extends Schema.TaggedError<ChannelInDoubt>()("ChannelInDoubt", {
  reason: Schema.Literals(["timeout", "connection_lost", "server_fault", "unreadable_answer"])
}) {
  override get message() {
    return "It is not known whether the chat provider has taken this."
  }
}

/** Why a call that only reads, or that may be repeated without harm, has failed. */
export type ChannelFailure = ChannelRefused | ChannelUnreachable
