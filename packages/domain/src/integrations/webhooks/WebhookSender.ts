import { Context, type DateTime, type Effect, type Redacted } from "effect"
import type { AttemptError } from "./WebhookDelivery.ts"

/** How webhooks are set up on this service. */
export class WebhookSettings extends Context.Service<
  WebhookSettings,
  {
    /** The address of this service, without a slash at its end: nobody has events posted to it. */
    readonly publicUrl: string
    /** Whether receivers may be on this machine, also in plain HTTP: for those who develop one. */
    readonly loopback: boolean
  }
>()("@parley/domain/integrations/webhooks/WebhookSettings") {}

/** One request of a delivery. */
export interface WebhookRequest {
  readonly url: string
  /** The id of the delivery, the same in each attempt. */
  readonly id: string
  readonly at: DateTime.Utc
  readonly attempt: number
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  /** Every live secret signs. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  /** JSON, as it is signed. */
  readonly body: string
}

/** What came of a request. What the receiver has written in its answer is never kept. */
export interface WebhookOutcome {
  readonly status: number | null
  readonly error: AttemptError | null
  readonly durationMs: number
  /** For how many seconds the receiver asks to be left alone. */
  readonly retryAfterSeconds: number | null
}

/** What came of a request whose answer is read: its text, `null` where it did not come whole or has more than 64 KiB. */
export interface WebhookResponse extends WebhookOutcome {
  readonly text: string | null
}

/** Posts to addresses outside. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /**
     * Posts once, within ten seconds, to an address of the public Internet: the name is resolved once for each connection, and all
     * of its addresses have to be public. No redirect is followed.
     */
    readonly post: (request: WebhookRequest) => Effect.Effect<WebhookOutcome>
    /** As `post`, within so many seconds, for the answer. */
    readonly ask: (request: WebhookRequest, timeoutSeconds: number) => Effect.Effect<WebhookResponse>
    /** Whether the host of an address has, as far as can be found out, addresses of the public Internet only. */
    readonly isPublic: (url: string) => Effect.Effect<boolean>
  }
>()("@parley/domain/integrations/webhooks/WebhookSender") {}
