import {
  type RunningStoreSimulator,
  type SimulatedShop,
  startStoreSimulator,
  type StoreSimulatorOptions
} from "@parley/simulators/store"
import { Effect } from "effect"

export { eventually, sink } from "../chat/harness.ts"

export const domain = "ada.myshopify.com"

export const small: SimulatedShop = {
  domain,
  seed: "ada",
  customers: 20,
  orders: 40,
  products: 10,
  abandonedCheckouts: 5
}

/** A simulator with a clock that moves only on request. */
export const simulator = (options: StoreSimulatorOptions = {}) =>
  startStoreSimulator({ startAt: 1_780_000_000_000, shops: [small], bulkMillis: 0, ...options })

const app = { client_id: "simulator-client", client_secret: "simulator-client-secret" }

export const authorizeUrl = (running: RunningStoreSimulator, scope = "read_customers,read_orders,read_products") =>
  `${running.url}/${domain}/admin/oauth/authorize?${new URLSearchParams({
    client_id: app.client_id,
    scope,
    redirect_uri: "https://parley.test/callback",
    state: "s"
  }).toString()}`

/** Answer as JSON. */
export interface Answered {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const post = (url: string, body: object, headers: Record<string, string> = {}): Effect.Effect<Answered> =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  })

/** Requests tokens. */
export const token = (running: RunningStoreSimulator, grant: object) =>
  post(`${running.url}/${domain}/admin/oauth/access_token`, { ...app, ...grant })

/** The merchant agrees, and the code is exchanged for a token. */
export const connect = (running: RunningStoreSimulator, scope?: string) =>
  Effect.gen(function* () {
    const code = new URL(running.decide(authorizeUrl(running, scope), true)).searchParams.get("code")
    const { body } = yield* token(running, { code, expiring: "1" })
    return { access: String(body["access_token"]), refresh: String(body["refresh_token"]) }
  })

/** Calls the provider's interface as it is documented. */
export const query = (
  running: RunningStoreSimulator,
  accessToken: string,
  document: string,
  variables: object = {},
  shop = domain
) =>
  post(
    `${running.url}/${shop}/admin/api/2026-10/graphql.json`,
    { query: document, variables },
    { "x-shopify-access-token": accessToken }
  )

/** Subscribes to topics of the shop. */
export const subscribe = (
  running: RunningStoreSimulator,
  accessToken: string,
  uri: string,
  ...topics: ReadonlyArray<string>
) =>
  Effect.forEach(topics, (topic) =>
    query(
      running,
      accessToken,
      "mutation($topic: WebhookSubscriptionTopic!, $uri: String!) { webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri }) { userErrors { message } } }",
      { topic, uri }
    )
  )
