import { WebhookSender, type WebhookOutcome, type WebhookRequest, WebhookSettings } from "@parley/domain"
import { Context, Effect, Layer } from "effect"

/** What receivers answer in tests, and what they were sent. */
export class ReceiverScript extends Context.Service<
  ReceiverScript,
  {
    /** How requests to this address end from now on. */
    readonly answer: (url: string, outcome: (request: WebhookRequest) => Effect.Effect<WebhookOutcome>) => void
    /** What was posted to an address, in its order. */
    readonly posted: (url: string) => ReadonlyArray<WebhookRequest>
  }
>()("@parley/testkit/webhooks/ReceiverScript") {}

/** An answer of success. */
export const accepted: WebhookOutcome = { status: 204, error: null, durationMs: 7, retryAfterSeconds: null }

/** An answer of failure. */
export const refused: WebhookOutcome = { status: 500, error: "status", durationMs: 7, retryAfterSeconds: null }

/** Names that have addresses of no public network. */
const isInside = (url: string) => /^https:\/\/[^/]*\.(?:internal|local|test)(?:[:/]|$)/u.test(url)

/** Receivers in memory: each answers with success, unless a test has said something else. */
export const layer: Layer.Layer<WebhookSender | ReceiverScript | WebhookSettings> = Layer.effectContext(
  Effect.sync(() => {
    const answers = new Map<string, (request: WebhookRequest) => Effect.Effect<WebhookOutcome>>()
    const all: Array<WebhookRequest> = []
    return Context.empty().pipe(
      Context.add(WebhookSender, {
        post: (request) =>
          Effect.suspend(() => {
            all.push(request)
            return answers.get(request.url)?.(request) ?? Effect.succeed(accepted)
          }),
        isPublic: (url) => Effect.sync(() => !isInside(url))
      }),
      Context.add(ReceiverScript, {
        answer: (url, outcome) => void answers.set(url, outcome),
        posted: (url) => all.filter((request) => request.url === url)
      }),
      Context.add(WebhookSettings, { publicUrl: "https://parley.test", loopback: false })
    )
  })
)
