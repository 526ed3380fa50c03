import { Context, type DateTime, Effect, Layer, type Redacted, type Stream } from "effect"
import { asSystem, invalid } from "../../kernel/index.ts"
import type { InboundEvent } from "./Inbound.ts"
import type { ProviderConnection, NumberHealthCheck, NumberSignup } from "./ProviderConnection.ts"
import type { OutgoingMessage, OutgoingContent, Recipient } from "./Outgoing.ts"
import type { TemplateApproval } from "./TemplateApproval.ts"
import {
  type ChannelFailure,
  type ChannelInDoubt,
  type ChannelRefused,
  type ChannelUnreachable,
  UnsupportedByChannel
} from "./errors.ts"

/** What deliveries of chat providers are stored under. */
export const chatSource = "chat"

/** In this organization, in the name of the provider's side. */
export const asMessagingSystem = asSystem("chat")

/** A request by which a provider delivers: its headers with their names in small letters, and its bytes as they were signed. */
export interface DeliveryRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** A piece of a delivery that can be read by itself. */
export interface DeliveryPart {
  readonly businessId: string
  readonly phoneId: string | null
  readonly body: Uint8Array
}

/** What a provider says when it asks whether an address is ours, and what it wants to hear. */
export interface Handshake {
  readonly token: string
  readonly challenge: string
}

/** Reads what a provider delivers. */
export interface DeliveryParser {
  /** Whether a delivery was signed with one of these secrets: over its raw bytes, in constant time. */
  readonly isSigned: (secrets: ReadonlyArray<Redacted.Redacted>, request: DeliveryRequest, now: DateTime.Utc) => boolean
  /**
   * What a delivery is made of, piece by piece and whole as it was sent, each about one business account or one of its
   * numbers; `null` if it is not one of this provider. `to` is the provider's id of the number that it was delivered to,
   * where the address says so.
   */
  readonly parts: (body: Uint8Array, to: string | null) => ReadonlyArray<DeliveryPart> | null
  /** All events of a delivery, in its order; `null` if it is not one of this provider. Unknown content never fails. */
  readonly read: (body: Uint8Array) => ReadonlyArray<InboundEvent> | null
  /** The handshake in the query of a request; `null` if there is none. */
  readonly handshake: (query: Readonly<Record<string, string | undefined>>) => Handshake | null
}

/** Says which addresses accounts may have, where they have one of their own. */
export interface EndpointPolicy {
  /** What is wrong with an address; `null` if messages can be posted there. */
  readonly faultOf: (url: string) => string | null
}

/** A file that goes to a provider, whole. */
export interface UploadedFile {
  readonly bytes: Uint8Array
  readonly mimeType: string
  readonly filename: string
}

/** A file that comes from a provider, piece by piece. */
export interface DownloadedFile {
  readonly mimeType: string
  readonly size: number
  readonly bytes: Stream.Stream<Uint8Array, ChannelFailure>
}

/** Moves the files of messages to a provider that keeps them, and from there. */
export interface MediaTransfer {
  /** Gives the provider's id of the file. */
  readonly upload: (line: ProviderConnection, file: UploadedFile) => Effect.Effect<string, ChannelFailure>
  /** Fetches a file, refusing one that is larger than `most` bytes. */
  readonly download: (
    line: ProviderConnection,
    mediaId: string,
    most: number
  ) => Effect.Effect<DownloadedFile, ChannelFailure>
}

/** The provider has accepted a message. `held` is true when it reviews the message before it sends it. */
export interface AcceptedMessage {
  readonly providerMessageId: string
  readonly held: boolean
}

/** Gives messages to a provider. */
export interface MessageSender {
  /** The kinds of messages that it takes. */
  readonly kinds: ReadonlySet<OutgoingContent["kind"]>
  /** What people are reached by through it. */
  readonly reaches: ReadonlySet<Recipient["kind"]>
  /** Whether free-form messages go only to those who have written lately. */
  readonly hasServiceWindow: boolean
  /** Never repeated by itself: it is sent once, not at all, or in doubt. */
  readonly send: (
    line: ProviderConnection,
    message: OutgoingMessage
  ) => Effect.Effect<AcceptedMessage, ChannelRefused | ChannelUnreachable | ChannelInDoubt>
  /** Tells the customer that the message was read. */
  readonly markRead: (line: ProviderConnection, providerMessageId: string) => Effect.Effect<void, ChannelFailure>
}

/** What a provider of chat can do; `null` where it has no such thing. */
export interface ChatChannel {
  readonly sending: MessageSender
  readonly deliveries: DeliveryParser
  readonly endpoints: EndpointPolicy | null
  readonly checking: NumberHealthCheck | null
  readonly media: MediaTransfer | null
  readonly templates: TemplateApproval | null
  readonly signup: NumberSignup | null
}

/** The channels of this service, by the `provider` of the accounts that go through them. */
export class ChatChannels extends Context.Service<ChatChannels, ReadonlyMap<string, ChatChannel>>()(
  "@parley/domain/messaging/chat/ChatChannels"
) {}

/** Registers these channels, each under the name of its provider. */
export const layerChatChannels = <E, R>(channels: Readonly<Record<string, Effect.Effect<ChatChannel, E, R>>>) =>
  Layer.effect(
    ChatChannels,
    Effect.map(Effect.all(channels), (made) => new Map<string, ChatChannel>(Object.entries(made)))
  )

/** What the channel of an account does for this need. Refuses where it does nothing for it. */
export const channelFor = Effect.fnUntraced(function* <Need extends keyof ChatChannel>(
  { provider }: { readonly provider: string },
  need: Need
) {
  const found = (yield* ChatChannels).get(provider)?.[need] ?? null
  return found === null ? yield* new UnsupportedByChannel({ provider, need }) : found
})

/** Refuses an address that accounts of this provider cannot have. */
export const checkUrl = Effect.fnUntraced(function* (provider: string, url: string) {
  const fault = (yield* channelFor({ provider }, "endpoints")).faultOf(url)
  if (fault !== null) return yield* invalid("/url", fault)
})
