import { assert, layer } from "@effect/vitest"
import { listWebhookSubscriptions } from "@parley/domain/integrations"
import { asOperatorOf, givenOrganization, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { subscribed } from "./given.ts"

const page = { limit: 9, cursor: null }

layer(TestKit.layer)("a list of webhook subscriptions", (it) => {
  it.effect("finds the subscriptions to an event type", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const { id } = yield* subscribed(organization, { events: ["order.*"] })
      yield* subscribed(organization, { events: ["tag.created"] })
      const { data } = yield* listWebhookSubscriptions({ event: "order.paid", page }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        data.map((each) => each.id),
        [id]
      )
    })
  )

  it.effect("refuses an event type that does not exist, and names similar types", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const messageOf = Effect.fnUntraced(function* (event: string) {
        const error = yield* Effect.flip(listWebhookSubscriptions({ event, page }).pipe(asOperatorOf(organization)))
        return error._tag === "ValidationFailed" ? error.errors : error._tag
      })
      assert.deepStrictEqual(yield* messageOf("order.payd"), [
        { pointer: "/event", message: "There is no event of this type. Did you mean order.paid?" }
      ])
      assert.deepStrictEqual(yield* messageOf("planet.landed"), [
        { pointer: "/event", message: "There is no event of this type" }
      ])
    })
  )
})
