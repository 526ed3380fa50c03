import type { Effect } from "effect"
import type { ChannelFailure, ChannelInDoubt, ChannelRefused, ChannelUnreachable } from "./ChannelErrors.ts"
import type { Line } from "./Line.ts"
import type { Outgoing, OutgoingContent, Recipient } from "./Outgoing.ts"

/** The provider has accepted a message. `held` is true when it reviews the message before it sends it. */
export interface Accepted {
  readonly providerMessageId: string
  readonly held: boolean
}

/** Gives messages to a provider. */
export interface MessageSending {
  /** The kinds of messages that it takes. */
  readonly kinds: ReadonlySet<OutgoingContent["kind"]>
  /** What people are reached by through it. */
  readonly reaches: ReadonlySet<Recipient["kind"]>
  /** Whether free-form messages go only to those who have written lately. */
  readonly hasServiceWindow: boolean
  /** Never repeated by itself: it is sent once, not at all, or in doubt. */
  readonly send: (
    line: Line,
    message: Outgoing
  ) => Effect.Effect<Accepted, ChannelRefused | ChannelUnreachable | ChannelInDoubt>
  /** Tells the customer that the message was read. */
  readonly markRead: (line: Line, providerMessageId: string) => Effect.Effect<void, ChannelFailure>
}
