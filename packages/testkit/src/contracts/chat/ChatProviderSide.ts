import type { Line, Recipient } from "@parley/domain"
import { Context, type Effect, type Redacted } from "effect"

/** What a provider has truly taken. */
export interface Taken {
  readonly providerMessageId: string
  readonly to: string
  readonly kind: string
  readonly reference: string | null
}

/** The other side of a chat channel, which the contract plays: the provider, and the customers behind it. */
export class ChatProviderSide extends Context.Service<
  ChatProviderSide,
  {
    readonly line: Line
    /** The same line, with a right that has ended. */
    readonly endedLine: Line
    /** A number that the provider does not have. */
    readonly unknownLine: Line
    readonly secret: Redacted.Redacted
    /** A customer who has just written. */
    readonly customer: Effect.Effect<Recipient>
    /** The same, without a phone number. */
    readonly customerWithoutPhone: Effect.Effect<Recipient>
    /** A customer who has not written for long. */
    readonly silentCustomer: Effect.Effect<Recipient>
    readonly taken: Effect.Effect<ReadonlyArray<Taken>>
    /** The next message is refused with this code. */
    readonly refuseNext: (code: number) => Effect.Effect<void>
    /** The next message is taken, and the answer is lost. */
    readonly loseNext: Effect.Effect<void>
    readonly holdNext: Effect.Effect<void>
    /** The customer writes: what is delivered, and its signature. */
    readonly writes: (
      from: Recipient,
      text: string
    ) => Effect.Effect<{ readonly body: Uint8Array; readonly signature: string }>
    /** A file that came in. */
    readonly file: (bytes: Uint8Array, mimeType: string) => Effect.Effect<string>
    readonly approve: (name: string, language: string) => Effect.Effect<void>
    readonly signupCode: Effect.Effect<Redacted.Redacted>
  }
>()("@parley/testkit/contracts/ChatProviderSide") {}
