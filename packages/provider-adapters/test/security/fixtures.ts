import { type SigningKeyRecord, SigningKeys } from "@parley/domain/platform"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { layer, type SecurityOptions } from "@parley/provider-adapters/security"

const masterKey = (id: string, filler: number) => `${id}:${Buffer.alloc(32, filler).toString("base64")}`

export const k1 = masterKey("k1", 1)
export const k2 = masterKey("k2", 2)
export const k3 = masterKey("k3", 3)

export const listOf = (...keys: ReadonlyArray<string>) => Redacted.make(keys.join(","))

export const issuer = "https://parley.test"

/** Costs next to nothing, for tests that are not about the cost. */
export const cheap = { memory: 64, passes: 1, parallelism: 1 }

export const options: SecurityOptions = { masterKeys: listOf(k1), tokens: { issuer }, hashing: { cost: cheap } }

/** A store of signing keys that can be looked into, and altered behind the adapter's back. */
export const makeKeyStore = () => {
  const state = { records: [] as ReadonlyArray<SigningKeyRecord>, reads: 0 }
  const port = SigningKeys.of({
    all: Effect.sync(() => {
      state.reads += 1
      return state.records.toSorted(
        (one, other) => DateTime.toEpochMillis(other.createdAt) - DateTime.toEpochMillis(one.createdAt)
      )
    }),
    insert: (key) =>
      Effect.sync(() => {
        state.records = [...state.records, key]
      }),
    insertFirst: (key) =>
      Effect.sync(() => {
        if (state.records.length === 0) state.records = [key]
      })
  })
  return { state, layer: Layer.succeed(SigningKeys, port) }
}

export type KeyStore = ReturnType<typeof makeKeyStore>

export const now = DateTime.makeUnsafe("2026-03-01T12:00:00Z")

/** Sets the clock to a time when tokens may have been issued before. */
export const layerNow = Layer.effectDiscard(TestClock.setTime(DateTime.toEpochMillis(now)))

/** Every security port on the store, at that time. */
export const layerOn = (store: KeyStore, overrides: Partial<SecurityOptions> = {}) =>
  layer({ ...options, ...overrides }).pipe(Layer.provideMerge(store.layer), Layer.provideMerge(layerNow))

export const inMinutes = (minutes: number) => DateTime.add(now, { minutes })
