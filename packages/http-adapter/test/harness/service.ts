import { layer, type Vitest } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { DateTime, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { ServerSettings } from "../../src/server/ServerConfig.ts"
import { layerLogger } from "./Evidence.ts"
import { Http } from "./Http.ts"

/** Start time of every test in test time. */
export const start = DateTime.toEpochMillis(DateTime.makeUnsafe("2026-03-01T10:20:30.123Z"))

const layerClock = Layer.effectDiscard(TestClock.setTime(start))

const most = 1_000_000

const roomy = { tokenPerMinute: most, organizationPerMinute: most, addressPerMinute: most, operatorPerMinute: most }

/** Settings that keep unrelated limits out of the tests, and serve every endpoint. The tests set their origin with `X-Forwarded-For` and run the background tasks directly. */
export const roomySettings: Partial<ServerSettings> = {
  accessLog: true,
  trustedProxyHops: 1,
  operatorApi: "public",
  rateLimits: roomy
}

/** The service on these ports, in test time. */
export const layerService = <Provides, E>(
  ports: Layer.Layer<Ports | Provides, E>,
  differing: Partial<ServerSettings> = {}
) =>
  Http.layer(ports, { ...roomySettings, ...differing }).pipe(Layer.provide(layerClock), Layer.provideMerge(layerLogger))

/** Form of the tests of a suite. */
export type Tests<Provides = never> = (it: Vitest.MethodsNonLive<Http | Ports | Provides>) => void

/** A group of tests against the service on these ports. */
export const overHttp = <Provides, E>(
  name: string,
  ports: Layer.Layer<Ports | Provides, E>,
  tests: Tests<Provides>,
  differing: Partial<ServerSettings> = {}
) => layer(layerService(ports, differing))(name, tests)
