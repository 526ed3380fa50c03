import { assert, layer } from "@effect/vitest"
import { CurrentActor, transact } from "@parley/domain/kernel"
import { rotateSigningKey, SigningKeys, TokenSigner } from "@parley/domain/platform"
import { InMemory } from "@parley/testkit"
import { Context, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { layer as layerSecurity } from "@parley/provider-adapters/security"
import { inMinutes, layerNow, options } from "./fixtures.ts"
import { sessionClaims } from "./forgery.ts"

/** One more node on the same store. */
const anotherNode = Effect.gen(function* () {
  const shared = Layer.succeed(SigningKeys, yield* SigningKeys)
  const node = yield* Layer.build(Layer.fresh(layerSecurity(options).pipe(Layer.provide(shared))))
  return Context.get(node, TokenSigner)
})

const signedKid = (signer: TokenSigner["Service"]) =>
  Effect.map(signer.sign(sessionClaims, inMinutes(15)), (token) => {
    const [header = ""] = Redacted.value(token).split(".")
    return String(JSON.parse(Buffer.from(header, "base64url").toString()).kid)
  })

const asOperator = Effect.provideService(CurrentActor, { kind: "operator", name: "test" })

const onOneStore = layerSecurity(options).pipe(Layer.provideMerge(InMemory.layer), Layer.provideMerge(layerNow))

layer(onOneStore)("Rotating the signing key", (it) => {
  it.effect("ends no session on any process that shares the store", () =>
    Effect.gen(function* () {
      const here = yield* TokenSigner
      const there = yield* anotherNode
      const old = yield* Effect.forEach([here, there], (node) => node.sign(sessionClaims, inMinutes(15)))
      const { kid } = yield* rotateSigningKey().pipe(asOperator)
      const fresh = yield* here.sign(sessionClaims, inMinutes(15))
      assert.strictEqual(yield* signedKid(here), kid)
      for (const node of [here, there, yield* anotherNode]) {
        for (const token of [...old, fresh]) yield* node.verify(token, ["session"])
      }
    })
  )

  it.effect("waits for the commit before it signs with the new key", () =>
    Effect.gen(function* () {
      const signer = yield* TokenSigner
      const before = yield* signedKid(signer)
      const rotated = yield* Deferred.make<string>()
      const commit = yield* Deferred.make<void>()
      const unit = yield* Effect.gen(function* () {
        yield* Deferred.succeed(rotated, (yield* signer.rotate).kid)
        yield* Deferred.await(commit)
      }).pipe(transact, Effect.forkChild({ startImmediately: true }))
      const kid = yield* Deferred.await(rotated)
      assert.strictEqual(yield* signedKid(signer), before)
      yield* Deferred.succeed(commit, undefined)
      yield* Fiber.join(unit)
      assert.strictEqual(yield* signedKid(signer), kid)
    })
  )

  it.effect("changes nothing when the unit of work fails", () =>
    Effect.gen(function* () {
      const signer = yield* TokenSigner
      const before = yield* signedKid(signer)
      const { kid } = yield* Effect.flip(transact(Effect.flatMap(signer.rotate, Effect.fail)))
      assert.strictEqual(yield* signedKid(signer), before)
      assert.isFalse((yield* signer.keys).some((key) => key.kid === kid))
    })
  )
})
