import {
  type AttemptDetails,
  PluginHosts,
  PluginUnreadable,
  redactResponse,
  type WebhookResponse,
  WebhookSender,
  type WebhookOutcome,
  type WebhookRequest,
  WebhookSettings
} from "@parley/domain/integrations"
import { Context, Effect, Layer } from "effect"

import { aManifest } from "../../../fixtures/plugins.ts"

/** Result of a request without its details, which the receivers add. */
export type ScriptedOutcome = Omit<WebhookOutcome, keyof AttemptDetails>

/** Result of a request; the default text is empty. */
export type ScriptedAnswer = ScriptedOutcome & Partial<Pick<WebhookResponse, "text">>

/** Request and answer as the adapter of HTTP reports them. The digest is not computed. */
const detailsOf = ({ body, id }: WebhookRequest, { status, text = "" }: ScriptedAnswer): AttemptDetails => ({
  request: {
    headers: { "webhook-id": id, "webhook-signature": "[redacted]" },
    bodySha256: "0".repeat(64),
    bodyBytes: new TextEncoder().encode(body).length
  },
  response: status === null ? null : redactResponse({ headers: {}, text: text ?? "" }, [])
})

/** Scripted responses of webhook receivers and the requests that they received. */
export class ReceiverScript extends Context.Service<
  ReceiverScript,
  {
    /** Sets the result of later requests to this address. */
    readonly answer: (url: string, outcome: (request: WebhookRequest) => Effect.Effect<ScriptedAnswer>) => void
    /** Sets the content of this address for later reads. */
    readonly page: (url: string, text: string) => void
    /** Requests posted to an address, in order. */
    readonly posted: (url: string) => ReadonlyArray<WebhookRequest>
  }
>()("@parley/testkit/memory/integrations/webhooks/ReceiverScript") {}

/** An answer of success. */
export const accepted: ScriptedOutcome = { status: 204, error: null, durationMs: 7, retryAfterSeconds: null }

/** An answer of failure. */
export const refused: ScriptedOutcome = { status: 500, error: "status", durationMs: 7, retryAfterSeconds: null }

/** Whether the host name resolves to a non-public network. */
const isInside = (url: string) => /^https:\/\/[^/]*\.(?:internal|local|test)(?:[:/]|$)/u.test(url)

/** Receivers in memory: each answers with success by default. */
export const layer: Layer.Layer<WebhookSender | PluginHosts | ReceiverScript | WebhookSettings> = Layer.effectContext(
  Effect.sync(() => {
    const answers = new Map<string, (request: WebhookRequest) => Effect.Effect<ScriptedAnswer>>()
    const pages = new Map([["https://acme.example/plugin.json", JSON.stringify(aManifest)]])
    const all: Array<WebhookRequest> = []
    const post = (request: WebhookRequest) =>
      Effect.suspend(() => {
        all.push(request)
        const answer = answers.get(request.url)?.(request) ?? Effect.succeed<ScriptedAnswer>(accepted)
        return Effect.map(answer, (outcome) => ({ ...outcome, ...detailsOf(request, outcome) }))
      })
    return Context.empty().pipe(
      Context.add(WebhookSender, {
        post,
        ask: (request) => Effect.map(post(request), (answer) => ({ text: "", ...answer })),
        isPublic: (url) => Effect.sync(() => !isInside(url))
      }),
      Context.add(ReceiverScript, {
        answer: (url, outcome) => void answers.set(url, outcome),
        page: (url, text) => void pages.set(url, text),
        posted: (url) => all.filter((request) => request.url === url)
      }),
      Context.add(PluginHosts, {
        read: (url) =>
          Effect.suspend(() => {
            const text = pages.get(url)
            return text === undefined
              ? Effect.fail(new PluginUnreadable({ reason: "the host was not reached" }))
              : Effect.succeed(text)
          })
      }),
      Context.add(WebhookSettings, { publicUrl: "https://parley.test", loopback: false })
    )
  })
)
