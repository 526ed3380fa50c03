import { PasswordHasher } from "@parley/domain/platform"
import type { WebhookSender, WebhookSettings } from "@parley/domain/integrations"
import type { StorePlatforms, StoreSettings } from "@parley/domain/commerce"
import { layerAreas, type Ports } from "@parley/domain/composition"
import * as Postgres from "@parley/postgres-adapter"
import * as Security from "@parley/provider-adapters/security"
import { TestKit } from "@parley/testkit"
import { Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { noteSecret } from "./Evidence.ts"

/** Argon2id as cheap as it gets, for tests that are not about it. */
const cheap: Security.HashingOptions = {
  cost: { memory: 8, passes: 1, parallelism: 1 },
  atOnce: 4,
  waiting: 100_000
}

/** Dependencies of the ports of a service. */
export interface PortOptions {
  readonly hashing?: Security.HashingOptions
  /** Runs before each password check; default: nothing. */
  readonly beforeChecking?: Effect.Effect<void>
  /** Nodes of one service have the same; others make their own. */
  readonly masterKeys?: Redacted.Redacted
  /** The providers of stores. Default: in memory. */
  readonly stores?: Layer.Layer<StorePlatforms | StoreSettings>
  /** The receivers of events. Default: in memory. */
  readonly webhooks?: Layer.Layer<WebhookSender | WebhookSettings>
}

const layerChecking = (before: Effect.Effect<void>) =>
  Layer.effect(
    PasswordHasher,
    Effect.map(PasswordHasher, ({ hash, rehash, verify }) =>
      PasswordHasher.of({ hash, rehash, verify: (password, hash) => Effect.andThen(before, verify(password, hash)) })
    )
  )

const layerSecurity = ({ beforeChecking = Effect.void, hashing = cheap, masterKeys }: PortOptions) =>
  Layer.unwrap(
    Effect.map(
      masterKeys === undefined ? Security.generateMasterKey("k1") : Effect.succeed(masterKeys),
      (masterKeys) => {
        noteSecret(Redacted.value(masterKeys))
        return layerChecking(beforeChecking).pipe(
          Layer.provideMerge(Security.layer({ masterKeys, tokens: { issuer: "parley" }, hashing }))
        )
      }
    )
  )

/** Every port as the service runs on it, on the database of this client, which stays at hand; the chat provider is in memory. */
export const layerPorts = <E, Provides = never>(
  client: Layer.Layer<SqlClient.SqlClient | Provides, E>,
  options: PortOptions = {}
) =>
  layerAreas.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        layerSecurity(options),
        TestKit.layerProviders,
        options.stores ?? Layer.empty,
        options.webhooks ?? Layer.empty
      )
    ),
    Layer.provideMerge(Postgres.layer),
    Layer.provideMerge(client)
  ) satisfies Layer.Layer<Ports | SqlClient.SqlClient | Provides, unknown>

/** A client in real time, under tests in test time: when that leaps, connections must not be taken for idle ones. */
export const inRealTime = <A, E>(client: Layer.Layer<A, E>) =>
  Layer.effectContext(TestClock.withLive(Layer.build(client)))
