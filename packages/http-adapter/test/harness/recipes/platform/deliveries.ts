import { TestKit } from "@parley/testkit"
import { Effect, Redacted } from "effect"
import { givenEndpoint, delivery, givenNumber, signedDelivery, verifyTokenOf } from "../../inbox.ts"
import type { Recipe } from "../../Recipe.ts"

const receiveForAccount: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    const { id, signingSecret } = yield* givenEndpoint(organization)
    const delivered = yield* signedDelivery([], Redacted.make(signingSecret ?? ""))
    return { id: organization.id, params: { chat_account_id: id }, ...delivered }
  })

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

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
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
