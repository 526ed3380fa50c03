import type { ChatChannel, ProviderConnection, Recipient, Remedy } from "@parley/domain/messaging"
import { Context, type Effect, type Redacted } from "effect"

/** Counterpart of a chat channel in its contracts: the provider and its customers. */
export class ChannelSide extends Context.Service<
  ChannelSide,
  {
    readonly channel: ChatChannel
    readonly line: ProviderConnection
    /** The same line, with a right that has ended. */
    readonly endedLine: ProviderConnection
    /** A customer who has just written. */
    readonly customer: Effect.Effect<Recipient>
    /** The same, known by nothing but the provider's id. */
    readonly customerWithoutPhone: Effect.Effect<Recipient>
  }
>()("@parley/testkit/contracts/ChannelSide") {}

/** What a provider has truly taken. */
export interface Taken {
  readonly providerMessageId: string
  readonly to: string
  readonly kind: string
  readonly reference: string | null
}

/** A provider that takes messages, or does not. */
export class SendingSide extends Context.Service<
  SendingSide,
  {
    readonly taken: Effect.Effect<ReadonlyArray<Taken>>
    /** The provider's id of a new message of a customer. */
    readonly received: Effect.Effect<string>
    /** Codes of refusals, with their consequences. */
    readonly refusals: ReadonlyArray<readonly [number, Remedy]>
    /** The next message is refused with this code. */
    readonly refuseNext: (code: number) => Effect.Effect<void>
    /** The next message is taken, and the answer is lost. */
    readonly loseNext: Effect.Effect<void>
  }
>()("@parley/testkit/contracts/SendingSide") {}

/** A provider that knows its numbers. */
export class NumberSide extends Context.Service<
  NumberSide,
  {
    /** A number that the provider does not have. */
    readonly unknownLine: ProviderConnection
  }
>()("@parley/testkit/contracts/NumberSide") {}

/** A provider that keeps files. */
export class MediaSide extends Context.Service<
  MediaSide,
  {
    /** A file that came in. */
    readonly file: (bytes: Uint8Array, mimeType: string) => Effect.Effect<string>
  }
>()("@parley/testkit/contracts/MediaSide") {}

/** A provider that decides about templates. */
export class TemplateSide extends Context.Service<
  TemplateSide,
  {
    /** A customer who has not written for long. */
    readonly silentCustomer: Effect.Effect<Recipient>
    readonly holdNext: Effect.Effect<void>
    readonly approve: (name: string, language: string) => Effect.Effect<void>
  }
>()("@parley/testkit/contracts/TemplateSide") {}

/** A provider that numbers are connected with through an app. */
export class SignupSide extends Context.Service<
  SignupSide,
  {
    readonly signupCode: Effect.Effect<Redacted.Redacted>
  }
>()("@parley/testkit/contracts/SignupSide") {}

/** Delivery and its signer. */
export interface Delivered {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/** A provider that delivers what customers write. */
export class DeliverySide extends Context.Service<
  DeliverySide,
  {
    readonly secret: Redacted.Redacted
    /** Header with the signature. */
    readonly signatureHeader: string
    readonly writes: (from: Recipient, text: string) => Effect.Effect<Delivered>
  }
>()("@parley/testkit/contracts/DeliverySide") {}
