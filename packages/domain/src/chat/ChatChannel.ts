import { Context, type Effect, type Redacted, type Stream } from "effect"
import type { ChannelInDoubt, ChannelRefused, ChannelUnreachable } from "./ChannelErrors.ts"
import type { InboundEvent } from "./Inbound.ts"
import type { Outgoing } from "./Outgoing.ts"

/** A number of the provider, and the right to use it. */
export interface Line {
  readonly accessToken: Redacted.Redacted
  /** The provider's id of the number. */
  readonly phoneId: string
  /** The provider's id of the business account that the number belongs to. */
  readonly businessId: string
}

/** The provider has taken a message. `held` is true when it looks at it before it sends it. */
export interface Accepted {
  readonly providerMessageId: string
  readonly held: boolean
}

/** How a number is doing. */
export interface LineHealth {
  readonly displayPhone: string
  readonly verifiedName: string | null
  readonly quality: "green" | "yellow" | "red" | "unknown"
  readonly messagingLimit: string | null
  readonly throughputPerSecond: number | null
  /** Whether the number and its business account may send, as far as the provider tells. */
  readonly sending: "available" | "limited" | "blocked" | "unknown"
  /** What the provider holds against the number, its business account or its business. */
  readonly issues: ReadonlyArray<{ readonly code: number; readonly reason: string }>
}

/** A part of a template, as the provider keeps it. */
export type TemplatePart =
  | {
      readonly type: "header"
      readonly format: "text" | "image" | "video" | "document" | "location"
      readonly text: string | null
      readonly example: ReadonlyArray<string>
    }
  | { readonly type: "body"; readonly text: string; readonly example: Readonly<Record<string, string>> }
  | { readonly type: "footer"; readonly text: string }
  | {
      readonly type: "buttons"
      readonly buttons: ReadonlyArray<
        | { readonly type: "quick_reply"; readonly text: string }
        | { readonly type: "url"; readonly text: string; readonly url: string; readonly example: string | null }
        | { readonly type: "phone_number"; readonly text: string; readonly phone: string }
        | { readonly type: "copy_code"; readonly example: string }
      >
    }

/** A template, as the provider keeps it. */
export interface ProviderTemplate {
  readonly externalId: string
  readonly name: string
  readonly language: string
  readonly category: "marketing" | "utility" | "authentication"
  readonly named: boolean
  /** `null` where some part is of a sort that nothing here can fill: without it, the template could not be sent. */
  readonly parts: ReadonlyArray<TemplatePart> | null
  readonly status: "approved" | "rejected" | "pending" | "paused" | "disabled"
  readonly rejectionReason: string | null
  readonly quality: "green" | "yellow" | "red" | "unknown"
}

/** A template, as it is submitted. */
export interface TemplateSubmission extends Pick<ProviderTemplate, "name" | "language" | "category" | "named"> {
  readonly parts: ReadonlyArray<TemplatePart>
}

/** Why a call that only reads, or that may be repeated without harm, has failed. */
export type ChannelFailure = ChannelRefused | ChannelUnreachable

/** A piece of a delivery that can be read by itself. */
export interface DeliveryPart {
  readonly businessId: string
  readonly phoneId: string | null
  readonly body: Uint8Array
}

/** A provider of chat: what goes out, what it keeps, and how to read what it sends. */
export class ChatChannel extends Context.Service<
  ChatChannel,
  {
    /** Never repeated by itself: it is sent once, not at all, or in doubt. */
    readonly send: (
      line: Line,
      message: Outgoing
    ) => Effect.Effect<Accepted, ChannelRefused | ChannelUnreachable | ChannelInDoubt>
    /** Tells the customer that the message was read. */
    readonly markRead: (line: Line, providerMessageId: string) => Effect.Effect<void, ChannelFailure>
    readonly uploadMedia: (
      line: Line,
      file: { readonly bytes: Uint8Array; readonly mimeType: string; readonly filename: string }
    ) => Effect.Effect<string, ChannelFailure>
    /** Fetches a file, refusing one that is larger than `most` bytes. */
    readonly downloadMedia: (
      line: Line,
      mediaId: string,
      most: number
    ) => Effect.Effect<
      { readonly mimeType: string; readonly size: number; readonly bytes: Stream.Stream<Uint8Array, ChannelFailure> },
      ChannelFailure
    >
    readonly health: (line: Line) => Effect.Effect<LineHealth, ChannelFailure>
    readonly submitTemplate: (
      line: Line,
      template: TemplateSubmission
    ) => Effect.Effect<Pick<ProviderTemplate, "externalId" | "status" | "category">, ChannelFailure>
    readonly deleteTemplate: (line: Line, name: string, externalId: string) => Effect.Effect<void, ChannelFailure>
    /** Every template of the business account, page by page. */
    readonly templates: (line: Line) => Stream.Stream<ProviderTemplate, ChannelFailure>
    /** Turns the code of a signup through the platform app into a right to use its number. */
    readonly exchangeSignupCode: (code: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, ChannelFailure>
    /** Has the provider send what happens with this business account. */
    readonly subscribe: (line: Line) => Effect.Effect<void, ChannelFailure>
    /** Whether a delivery was signed with one of these secrets: over its raw bytes, in constant time. */
    readonly isSigned: (
      secrets: ReadonlyArray<Redacted.Redacted>,
      body: Uint8Array,
      signature: string | undefined
    ) => boolean
    /**
     * What a delivery is made of, piece by piece and whole as it was sent, each about one business account or one of its
     * numbers; `null` if it is not one of this provider.
     */
    readonly parts: (body: Uint8Array) => ReadonlyArray<DeliveryPart> | null
    /** Everything that a delivery tells, in its order; `null` if it is not one of this provider. What is unknown in it never fails. */
    readonly read: (body: Uint8Array) => ReadonlyArray<InboundEvent> | null
  }
>()("@parley/domain/chat/ChatChannel") {}
