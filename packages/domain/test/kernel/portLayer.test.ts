import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import { CurrentActor, CurrentOrganization, layerPort, OrganizationId, type TenantScoped } from "@parley/domain/kernel"
import { operator } from "@parley/testkit"
import { Context, Effect, Layer } from "effect"

class Greetings extends Context.Service<
  Greetings,
  TenantScoped<{ readonly greet: (name: string) => Effect.Effect<string> }>
>()("@parley/domain/test/kernel/Greetings") {}

class Wording extends Context.Service<Wording, { readonly hello: string }>()("@parley/domain/test/kernel/Wording") {}

const layerGreetings = layerPort(Greetings, {
  greet: Effect.fnUntraced(function* (name) {
    const { id } = yield* CurrentOrganization
    return `${(yield* Wording).hello}, ${name} of ${id}`
  })
})

const organizationId = OrganizationId.make("0197a0d0-0000-7000-8000-000000000001")

describe("a port that an upper area implements", () => {
  it.effect("runs its methods with the services of the layer and of the caller", () =>
    Effect.gen(function* () {
      const greeting = yield* (yield* Greetings).greet("Ada")
      assert.strictEqual(greeting, `Hello, Ada of ${organizationId}`)
    }).pipe(
      Effect.provideService(CurrentOrganization, { id: organizationId }),
      Effect.provideService(CurrentActor, operator),
      Effect.provide(Layer.provide(layerGreetings, Layer.succeed(Wording, { hello: "Hello" })))
    )
  )

  it("requires the services that its callers do not provide", () => {
    expectTypeOf<Layer.Services<typeof layerGreetings>>().toEqualTypeOf<Wording>()
  })
})
