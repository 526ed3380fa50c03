import { assert, it } from "@effect/vitest"
import { WorkersStart } from "@parley/domain/platform"
import { Backup, Database } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { DateTime, Effect, Layer, Ref, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { embed } from "../src/index.ts"

it.live("the ports of an embedding service start no workers on hold", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const starts = yield* Ref.make(0)
    const begin = Effect.gen(function* () {
      yield* (yield* WorkersStart)(Ref.update(starts, (count) => count + 1))
    }).pipe(
      Effect.provide(
        embed({ databaseUrl: Redacted.value(url), masterKeys: Redacted.value(yield* generateMasterKey("k1")) })
      ),
      Effect.scoped
    )
    yield* begin
    assert.strictEqual(yield* Ref.get(starts), 1)
    const now = yield* DateTime.now
    yield* Effect.gen(function* () {
      yield* Backup.placeHold(yield* SqlClient.SqlClient, { file: "a.parley", since: now, snapshotAt: now })
    }).pipe(Effect.provide(Layer.fresh(Database.layer({ url }))))
    yield* begin
    assert.strictEqual(yield* Ref.get(starts), 1)
  }).pipe(Effect.scoped)
)
