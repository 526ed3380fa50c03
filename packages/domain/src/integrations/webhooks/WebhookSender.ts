import { Context, type DateTime, type Effect, type Redacted, Schema } from "effect"
import type { AttemptDetails } from "./attemptDetails.ts"
import type { AttemptError } from "./WebhookDelivery.ts"

/** Webhook settings of this service. */
export class WebhookSettings extends Context.Service<
  WebhookSettings,
  {
    /** URL of this service, without a trailing slash. Subscriptions to it are rejected. */
    readonly publicUrl: string
    /** Whether receivers can be on this machine, including plain HTTP. For development of receivers. */
    readonly loopback: boolean
  }
>()("@parley/domain/integrations/webhooks/WebhookSettings") {}

export const HttpMethod = Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"])
export type HttpMethod = typeof HttpMethod.Type

export interface WebhookRequest {
  /** Default: POST. */
  readonly method?: HttpMethod
  readonly url: string
  /** Delivery id, the same in each attempt. */
  readonly id: string
  readonly at: DateTime.Utc
  readonly attempt: number
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  /** All valid secrets; each one signs. Without a secret, the request is not signed. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  /** JSON text that is signed; empty for a request without a body. */
  readonly body: string
}

/** Result of a request, with the request and the answer without secrets. */
export interface WebhookOutcome extends AttemptDetails {
  readonly status: number | null
  readonly error: AttemptError | null
  readonly durationMs: number
  /** Delay that the receiver requests, in seconds. */
  readonly retryAfterSeconds: number | null
}

/** Result of a request with its answer text; `null` for an incomplete answer or one above 64 KiB. */
export interface WebhookResponse extends WebhookOutcome {
  readonly text: string | null
  /** Why the text is missing; absent with a text or without an answer. */
  readonly unread?: "incomplete" | "too_large"
}

/** Sends requests to external URLs. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /**
     * Sends once to a public URL, within ten seconds. Each connection resolves the name once, and all its addresses must be public. Does not follow
     * redirects.
     */
    readonly post: (request: WebhookRequest) => Effect.Effect<WebhookOutcome>
    /** As `post`, with this timeout, and returns the answer. */
    readonly ask: (request: WebhookRequest, timeoutSeconds: number) => Effect.Effect<WebhookResponse>
    /** Returns whether all known addresses of the host are public. */
    readonly isPublic: (url: string) => Effect.Effect<boolean>
  }
>()("@parley/domain/integrations/webhooks/WebhookSender") {}
