import { assert, layer } from "@effect/vitest"
import { everybodysPassword, givenMember, givenOrganization } from "@parley/testkit"
import { Effect } from "effect"
import { ParleyClient } from "../../src/client/index.ts"
import { clientContract } from "./client.contract.ts"
import { answer, baseUrl, layer as layerService, Wire } from "./Wire.ts"

clientContract({ name: "the Effect client", make: ParleyClient.make, login: ParleyClient.login })

layer(layerService)("the Effect client", (it) => {
  it.effect("refuses what does not fit the contract before it is sent", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const { user } = yield* givenMember(organization, "owner")
      const { client } = yield* ParleyClient.login({ baseUrl, email: user.email, password: everybodysPassword })
      const error = yield* Effect.flip(client.automations.create({ payload: { name: "" } }))
      assert.strictEqual(error._tag, "SchemaError")
      const { sent } = yield* Wire
      assert.isEmpty(sent.filter(({ path }) => path === "/api/v1/automations"))
    })
  )

  it.effect("reports an answer that does not fit the contract apart from a wrong request", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const { user } = yield* givenMember(organization, "owner")
      const { client } = yield* ParleyClient.login({ baseUrl, email: user.email, password: everybodysPassword })
      const { breakNext } = yield* Wire
      breakNext(
        "/api/v1/tags",
        answer(200, { "content-type": "application/json" }, '{"data":[{"id":1}],"nextCursor":null}')
      )
      const error = yield* Effect.flip(client.tags.list())
      assert.strictEqual(error._tag === "HttpClientError" ? error.reason._tag : error._tag, "DecodeError")
    })
  )
})
