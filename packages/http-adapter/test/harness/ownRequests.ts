import { nextId } from "@parley/domain/kernel"
import { createAutomation, enableAutomation, rotateTriggerUrl } from "@parley/domain/automation"
import { ShopDomain, StoreConnectionId } from "@parley/domain/commerce"
import { codeChallenge, givenStore, putPlugin, TestKit, tokenOfPlugin } from "@parley/testkit"
import { Effect, Redacted } from "effect"
import { delivery, givenEndpoint, givenNumber, signedDelivery, verifyTokenOf } from "./inbox.ts"
import type { Ingredients, Recipe } from "./Recipe.ts"
import { comingBack, storeScript } from "./stores.ts"
import { freshText, givenContact, givenDocsSession, inside, password, signIn } from "./tenants.ts"

const asking =
  (request: Ingredients): Recipe =>
  () =>
    Effect.succeed(request)

const handshake = (token: string) =>
  `?${new URLSearchParams({ "hub.mode": "subscribe", "hub.verify_token": token, "hub.challenge": "1158201444" })}`

const verifyPlatform: Recipe = () =>
  Effect.succeed({ query: handshake(Redacted.value(TestKit.testPlatformApp.verifyToken)) })

const receivePlatform: Recipe = () => delivery([], "platform app")

const verifyOwn: Recipe = ({ tenant: { organization } }) =>
  Effect.map(givenNumber(organization), (account) => ({
    id: organization.id,
    query: handshake(verifyTokenOf(account))
  }))

const receiveOwn: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    return { id: organization.id, ...(yield* delivery([], yield* givenNumber(organization))) }
  })

const receiveForAccount: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    const { id, signingSecret } = yield* givenEndpoint(organization)
    const delivered = yield* signedDelivery([], Redacted.make(signingSecret ?? ""))
    return { id: organization.id, params: { chat_account_id: id }, ...delivered }
  })

const onStore =
  (body?: object): Recipe =>
  ({ tenant }) =>
    Effect.map(givenStore(tenant.organization), ({ id }) => ({ id, body }))

/** A shop that is not connected. */
const freshShop = Effect.map(nextId(StoreConnectionId), (id) => ShopDomain.make(`shop-${id}.myshopify.com`))

/** Report of a shop of the organization. */
const receiveOfShop: Recipe = ({ tenant }) =>
  Effect.gen(function* () {
    const { id, shopDomain, shopId } = yield* givenStore(tenant.organization)
    const delivered = (yield* storeScript).delivers({
      shop: shopDomain,
      shopId: shopId ?? id,
      topic: "orders/create",
      signals: [{ kind: "changed", record: "orders", externalId: "1" }]
    })
    return { id: "shopify", ...delivered }
  })

/** An enabled automation with a trigger URL. A disabled one ignores the contact of a call. */
const givenTriggerUrl = Effect.gen(function* () {
  const { id } = yield* createAutomation({
    name: "Form",
    when: { event: "webhook.received" },
    then: [{ type: "set_priority", priority: "high" }]
  })
  yield* enableAutomation({ id, ifVersion: null })
  const { url } = yield* rotateTriggerUrl({ id })
  return { id, url }
})

const triggerByUrl: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    const { id, url } = yield* givenTriggerUrl.pipe(inside(organization), Effect.orDie)
    const contact = yield* givenContact(organization)
    const token = Redacted.value(url).split("/").at(-1) ?? ""
    return { id, params: { token }, body: { contact: { id: contact.id }, data: { plan: "pro" } } }
  })

/** Requests that differ from the input of their use case, such as files, webhooks of providers and sessions. */
export const ownRequests: Readonly<Record<string, Recipe>> = {
  "operations.jwks": asking({}),
  "operations.health": asking({}),
  "operations.ready": asking({}),
  "operations.startup": asking({}),
  "sessions.login": ({ person }) => Effect.succeed({ body: { email: person.user.email, password } }),
  "sessions.refresh": ({ person }) =>
    Effect.map(signIn(person.user), ({ refreshToken }) => ({ body: { refreshToken: Redacted.value(refreshToken) } })),
  "account.logout": ({ person }) => Effect.map(signIn(person.user), ({ token }) => ({ token })),
  "docs.session": ({ person, tenant }) =>
    Effect.map(givenDocsSession(tenant.organization, person), (token) => ({ token })),
  "plugins.me": ({ tenant: { organization } }) =>
    Effect.flatMap(putPlugin(organization), ({ id }) =>
      Effect.map(tokenOfPlugin(organization, id), (token) => ({ token }))
    ),
  "contactTransfer.import": asking({ text: "name\r\nMarie Curie\r\n", headers: { "content-type": "text/csv" } }),
  "operatorRateCards.importFile": asking({
    text: "country,category,currency,amount,valid_from\nDE,marketing,XTF,11.31,2026-10-01\n",
    headers: { "content-type": "text/csv" }
  }),
  "media.upload": asking({
    text: "Rye bread: 4.20",
    headers: { "content-type": "text/plain" },
    query: "?filename=prices.txt"
  }),
  "analytics.series": asking({ query: "?figure=conversations.opened&by=day&period=7d" }),
  "analytics.costs": asking({ query: "?period=30d" }),
  // All organizations share the templates of the provider in memory, so a new one would change the answers of others.
  "messageTemplates.sync": ({ tenant }) =>
    Effect.map(givenNumber(tenant.organization), ({ id }) => ({ body: { chatAccountId: id } })),
  // These do more than the fixtures, whose calls have exactly one event.
  "members.invite": () =>
    Effect.map(freshText("invited"), (name) => ({ body: { email: `${name}@invited.test`, role: "agent" } })),
  "chatAccounts.changePin": ({ tenant }) =>
    Effect.map(givenNumber(tenant.organization), ({ id }) => ({ id, body: {} })),
  "storeConnections.update": onStore({ makeContacts: "reachable" }),
  "automationTriggers.trigger": triggerByUrl,
  "storeConnections.delete": onStore(),
  "storeConnections.authorize": () =>
    Effect.map(freshShop, (shop) => ({
      query: `?shop=${shop}&codeChallenge=${codeChallenge}`,
      headers: { accept: "application/json" }
    })),
  "storeCallbacks.receive": ({ tenant }) =>
    Effect.map(
      Effect.flatMap(freshShop, (shop) => comingBack(tenant.organization, shop)),
      (query) => ({ query })
    ),
  "storeWebhooks.receive": receiveOfShop,
  "storeWebhooks.receiveAnywhere": receiveOfShop,
  "storeWebhooks.receiveUnderPrefix": receiveOfShop,
  "storeWebhooks.receiveAnywhereUnderPrefix": receiveOfShop,
  "chatWebhooks.verifyPlatform": verifyPlatform,
  "chatWebhooks.receivePlatform": receivePlatform,
  "chatWebhooks.verifyOwn": verifyOwn,
  "chatWebhooks.receiveOwn": receiveOwn,
  "chatWebhooks.receiveForAccount": receiveForAccount,
  "chatWebhooks.receiveForAccountUnderPrefix": receiveForAccount,
  "chatWebhooks.verifyPlatformUnderPrefix": verifyPlatform,
  "chatWebhooks.receivePlatformUnderPrefix": receivePlatform,
  "chatWebhooks.verifyOwnUnderPrefix": verifyOwn,
  "chatWebhooks.receiveOwnUnderPrefix": receiveOwn
}
