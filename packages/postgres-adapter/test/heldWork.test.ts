import { assert, layer } from "@effect/vitest"
import { Backup } from "@parley/postgres-adapter"
import { layerServer } from "@parley/postgres-adapter/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

layer(layerServer, { excludeTestServices: true })("the work that waits on hold", (it) => {
  it.effect("contains scheduled broadcasts without recipients, and calls of plugins", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const inserts = Effect.gen(function* () {
        // The rows need no parents.
        yield* sql`SET LOCAL session_replication_role = replica`
        yield* sql`
          INSERT INTO broadcasts (organization_id, id, recipient_prefix, name, name_key, variables, hold_out, split_key,
            ignore_frequency_caps, ignore_quiet_hours, reply_hours, uplift_days, status, frozen_at, created_at, updated_at,
            version)
          SELECT gen_random_uuid(), gen_random_uuid(), status, status, status, '[]', 0, '', false, false, 1, 1, status,
            frozen_at, now(), now(), 1
          FROM (VALUES ('scheduled', NULL), ('sending', NULL), ('sending', now()), ('paused', NULL), ('draft', NULL))
            AS b (status, frozen_at)`
        yield* sql`
          INSERT INTO plugin_lifecycle_calls (organization_id, id, plugin_id, type, has_secret, attempts, due_at)
          VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'installed', false, 0, now())`
        yield* sql`
          INSERT INTO plugin_calls (organization_id, id, plugin_id, action, key, caller, run_id, state, attempts, due_at, at,
            log)
          SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'a', 'k', 'c', 'r', 's', 0, due_at, now(), '[]'
          FROM (VALUES (now()), (NULL)) AS c (due_at)`
      })
      yield* sql.withTransaction(inserts)
      const { broadcastRecipients, pluginCalls, unlistedBroadcasts } = yield* Backup.countHeldWork
      assert.deepStrictEqual([broadcastRecipients, unlistedBroadcasts, pluginCalls], [0, 2, 2])
    })
  )
})
