import { afterAll } from "@effect/vitest"
import { layerEmbedded } from "@parley/postgres-adapter/testing"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { layerPorts } from "./harness/postgres.ts"
import { storeSuites } from "./suites/all.ts"

// A database takes longer to start than most suites take to run, so all of them share one.
const scope = Scope.makeUnsafe()
const started = Effect.runSync(Effect.cached(Layer.buildWithScope(layerEmbedded, scope)))
const masterKeys = Effect.runSync(generateMasterKey("k1"))

afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

storeSuites(layerPorts(Layer.effectContext(TestClock.withLive(started)), { masterKeys }), { copies: 20 })
