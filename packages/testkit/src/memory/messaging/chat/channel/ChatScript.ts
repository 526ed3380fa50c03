import type {
  InboundEvent,
  ProviderConnection,
  NumberDetails,
  NumberHealth,
  OnboardingReason,
  OutgoingMessage,
  ProviderTemplate,
  Remedy,
  TokenDetails
} from "@parley/domain/messaging"
import { Context, type Effect, type Redacted } from "effect"

/** Scripted outcome of the next message instead of acceptance. */
export type NextSend =
  | { readonly kind: "refused"; readonly code: number; readonly remedy: Remedy; readonly retryAfterMillis?: number }
  | { readonly kind: "unreachable" }
  /** Taken or not, the answer is lost. */
  | { readonly kind: "in_doubt"; readonly taken: boolean }
  | { readonly kind: "held" }

/** A message that the provider accepted. */
export interface SentMessage {
  readonly providerMessageId: string
  readonly line: ProviderConnection
  readonly message: OutgoingMessage
}

/** Provider side of the in-memory chat channel, for test scripts and assertions. */
export class ChatScript extends Context.Service<
  ChatScript,
  {
    readonly sent: Effect.Effect<ReadonlyArray<SentMessage>>
    readonly read: Effect.Effect<ReadonlyArray<string>>
    /** Messages with a typing indicator. */
    readonly typed: Effect.Effect<ReadonlyArray<string>>
    /** Happens to the next message, or to the next one for this recipient. */
    readonly next: (what: NextSend, to?: string) => Effect.Effect<void>
    /** Opens or closes the free-form message window of a recipient. Default: open. */
    readonly setWindow: (to: string, open: boolean) => Effect.Effect<void>
    readonly setHealth: (phoneId: string, health: Partial<NumberHealth>) => Effect.Effect<void>
    /** Changes the details of a number, such as its registration. */
    readonly setDetails: (phoneId: string, details: Partial<NumberDetails>) => Effect.Effect<void>
    /** PIN of the number's two-step verification. */
    readonly setPin: (phoneId: string, pin: string) => Effect.Effect<void>
    readonly pinOf: (phoneId: string) => Effect.Effect<string | null>
    /** Numbers of a business account. By default it has each number that is connected with it. */
    readonly setNumbers: (businessId: string, phoneIds: ReadonlyArray<string>) => Effect.Effect<void>
    /** Subscribes an app of the business account, with another address for its events. */
    readonly setCallback: (businessId: string, url: string) => Effect.Effect<void>
    /** Code that the provider has sent to a number. */
    readonly setCode: (phoneId: string, code: string) => Effect.Effect<void>
    /** Business accounts that the token cannot use. */
    readonly closeAccount: (accessToken: string, businessId: string) => Effect.Effect<void>
    readonly setToken: (accessToken: string, token: TokenDetails) => Effect.Effect<void>
    /** Refuses the next onboarding step. */
    readonly refuseStep: (reason: OnboardingReason, code: number) => Effect.Effect<void>
    /** Onboarding calls in their order, such as `register phone-1`. */
    readonly steps: Effect.Effect<ReadonlyArray<string>>
    readonly revoke: (accessToken: string) => Effect.Effect<void>
    /** From then on the provider has no such number. */
    readonly forget: (phoneId: string) => Effect.Effect<void>
    readonly addFile: (bytes: Uint8Array, mimeType: string) => Effect.Effect<string>
    /** Serves a file at a public address. */
    readonly serveLink: (link: string, bytes: Uint8Array, mimeType: string) => Effect.Effect<void>
    readonly addSignupCode: (code: string, accessToken: string) => Effect.Effect<void>
    readonly keepTemplate: (template: ProviderTemplate) => Effect.Effect<void>
    readonly decide: (name: string, language: string, status: ProviderTemplate["status"]) => Effect.Effect<void>
    /** What happened, as it is delivered, with its signature. */
    readonly deliver: (
      events: ReadonlyArray<InboundEvent>,
      secret: Redacted.Redacted
    ) => { readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>> }
  }
>()("@parley/testkit/memory/messaging/chat/ChatScript") {}
