import { Context, type DateTime, Effect, Layer, type Redacted, type Stream } from "effect"
import { asSystem, hostOfUrl, invalid, urlIssue } from "../../kernel/index.ts"
import { ChatSettings } from "./ChatSettings.ts"
import type { InboundEvent } from "./Inbound.ts"
import type { ProviderConnection, NumberHealthCheck, NumberOnboarding, NumberSignup } from "./ProviderConnection.ts"
import type { OutgoingMessage, OutgoingContent, Recipient } from "./Outgoing.ts"
import type { TemplateApproval } from "./TemplateApproval.ts"
import {
  type ChannelFailure,
  type ChannelInDoubt,
  type ChannelRefused,
  type ChannelUnreachable,
  UnsupportedByChannel
} from "./errors.ts"

/** Source name of stored deliveries of chat providers. */
export const chatSource = "chat"

/** Runs in this organization as the system actor of the provider. */
export const asMessagingSystem = asSystem("chat")

/** Delivery request of a provider: headers with lower-case names, and the bytes as signed. */
export interface DeliveryRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** Independently readable part of a delivery. */
export interface DeliveryPart {
  readonly businessId: string
  readonly phoneId: string | null
  readonly body: Uint8Array
}

/** Verification request of a provider for a webhook URL, with the expected answer. */
export interface Handshake {
  readonly token: string
  readonly challenge: string
}

/** Parser of a provider's deliveries. */
export interface DeliveryParser {
  /** Whether one of these secrets has signed the delivery. It compares over the raw bytes in constant time. */
  readonly isSigned: (secrets: ReadonlyArray<Redacted.Redacted>, request: DeliveryRequest, now: DateTime.Utc) => boolean
  /**
   * Splits a delivery into parts, each with its original content and for one business account or one number. `null` if the delivery is not from this
   * provider. `to` is the provider's id of the receiving number, if the URL contains it.
   */
  readonly parts: (body: Uint8Array, to: string | null) => ReadonlyArray<DeliveryPart> | null
  /** Reads all events of a delivery in order; `null` if it is not from this provider. Unknown content never fails. */
  readonly read: (body: Uint8Array) => ReadonlyArray<InboundEvent> | null
  /** Returns the handshake in the query of a request; `null` if the query contains none. */
  readonly handshake: (query: Readonly<Record<string, string | undefined>>) => Handshake | null
}

/** Policy for the URLs of accounts with their own URL. */
export interface EndpointPolicy {
  /** Whether accounts can be on this machine, including plain HTTP. For trials and tests. */
  readonly loopback: boolean
}

/** Complete file for an upload to a provider. */
export interface UploadedFile {
  readonly bytes: Uint8Array
  readonly mimeType: string
  readonly filename: string
}

/** File from a provider, as a stream. */
export interface DownloadedFile {
  readonly mimeType: string
  readonly size: number
  readonly bytes: Stream.Stream<Uint8Array, ChannelFailure>
}

/** Transfer of files to and from a provider that stores them. */
export interface MediaTransfer {
  /** Uploads a file and returns the provider's id of it. */
  readonly upload: (line: ProviderConnection, file: UploadedFile) => Effect.Effect<string, ChannelFailure>
  /** Downloads a file; refuses one larger than `most` bytes. */
  readonly download: (
    line: ProviderConnection,
    mediaId: string,
    most: number
  ) => Effect.Effect<DownloadedFile, ChannelFailure>
  /**
   * Downloads a file from its public address, so the provider never fetches it. Connects to public addresses only, and refuses a file larger than
   * `most` bytes.
   */
  readonly fetchLink: (link: string, most: number) => Effect.Effect<DownloadedFile, ChannelFailure>
}

/** Recipient of an accepted message by the provider's ids. Its phone number can differ from the one in the request. */
export interface ResolvedRecipient {
  /** Recipient as written in the request; `null` if the provider omits it. */
  readonly input: string | null
  /** Phone number with a plus; `null` if the message went to a user id. */
  readonly phone: string | null
  readonly chatUser: string | null
}

/** Message accepted by a provider. `held` is true if the provider reviews the message before sending. */
export interface AcceptedMessage {
  readonly providerMessageId: string
  readonly held: boolean
  /** Absent if the provider does not report it. */
  readonly recipient?: ResolvedRecipient
}

/** Messages that a number can send to one recipient: one per interval on average, with bursts within one interval. */
export interface PairLimit {
  readonly burst: number
  readonly intervalMillis: number
}

/** Sender of messages through a provider. */
export interface MessageSender {
  /** Limit of messages to one recipient; absent without one. */
  readonly pairLimit?: PairLimit
  /** Supported kinds of messages. */
  readonly kinds: ReadonlySet<OutgoingContent["kind"]>
  /** Supported kinds of recipients. */
  readonly reaches: ReadonlySet<Recipient["kind"]>
  /** Whether free-form messages require a recent message of the recipient. */
  readonly hasServiceWindow: boolean
  /** Never retried automatically: a message is sent once, not at all, or in doubt. */
  readonly send: (
    line: ProviderConnection,
    message: OutgoingMessage
  ) => Effect.Effect<AcceptedMessage, ChannelRefused | ChannelUnreachable | ChannelInDoubt>
  /** Shows the customer that the message was read, and with `isTyping` that an answer is being written. */
  readonly markRead: (
    line: ProviderConnection,
    providerMessageId: string,
    shown: { readonly isTyping: boolean }
  ) => Effect.Effect<void, ChannelFailure>
}

/** Capabilities of a chat provider; `null` for unsupported ones. */
export interface ChatChannel {
  readonly sending: MessageSender
  readonly deliveries: DeliveryParser
  readonly endpoints: EndpointPolicy | null
  readonly checking: NumberHealthCheck | null
  readonly media: MediaTransfer | null
  readonly templates: TemplateApproval | null
  readonly signup: NumberSignup | null
  readonly onboarding: NumberOnboarding | null
}

/** Channels of this service, by the `provider` of their accounts. */
export class ChatChannels extends Context.Service<ChatChannels, ReadonlyMap<string, ChatChannel>>()(
  "@parley/domain/messaging/chat/ChatChannels"
) {}

export const layerChatChannels = <E, R>(channels: Readonly<Record<string, Effect.Effect<ChatChannel, E, R>>>) =>
  Layer.effect(
    ChatChannels,
    Effect.map(Effect.all(channels), (made) => new Map<string, ChatChannel>(Object.entries(made)))
  )

/** Returns a capability of the account's channel. Fails if the channel does not support it. */
export const channelFor = Effect.fnUntraced(function* <Need extends keyof ChatChannel>(
  { provider }: { readonly provider: string },
  need: Need
) {
  const found = (yield* ChatChannels).get(provider)?.[need] ?? null
  return found === null ? yield* new UnsupportedByChannel({ provider, need }) : found
})

/** Fails if accounts of this provider cannot have this URL. */
export const checkUrl = Effect.fnUntraced(function* (provider: string, url: string) {
  const { loopback } = yield* channelFor({ provider }, "endpoints")
  const { publicUrl } = yield* ChatSettings
  const fault = urlIssue(url, { loopback, ownHost: hostOfUrl(publicUrl) })
  if (fault !== null) return yield* invalid("/url", fault)
})
