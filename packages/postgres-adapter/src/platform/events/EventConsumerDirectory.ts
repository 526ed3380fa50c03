import { NotFound } from "@parley/domain/kernel"
import { KnownEventConsumer, EventConsumerDirectory, type EventConsumerName } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc } from "../../kernel/columns.ts"
import { storagePort } from "../../kernel/tenantPort.ts"
import { Notifications } from "./Notifications.ts"

interface Row {
  readonly name: EventConsumerName
  readonly since: Instant
}

const knownOf = ({ name, since }: Row) => new KnownEventConsumer({ name, since: utc(since) }, asWritten)

export const layer = Layer.effect(
  EventConsumerDirectory,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { listenToAll } = yield* Notifications
    return storagePort(EventConsumerDirectory, {
      list: Effect.map(sql<Row>`SELECT name, since FROM event_consumers ORDER BY name`, (rows) => rows.map(knownOf)),
      add: Effect.fnUntraced(function* (names, now) {
        yield* sql`
          INSERT INTO event_consumers (name, since)
          SELECT name, ${stamp(now)} FROM unnest(${names}::text[]) AS name ORDER BY name ON CONFLICT DO NOTHING`
        const rows = yield* sql<Row>`SELECT name, since FROM event_consumers WHERE name = ANY(${names}) ORDER BY name`
        return rows.map(knownOf)
      }),
      remove: Effect.fnUntraced(function* (name) {
        const removed = yield* sql`DELETE FROM event_consumers WHERE name = ${name} RETURNING 1`
        if (removed.length === 0) return yield* new NotFound({ resource: "event consumer" })
      }),
      listen: listenToAll
    })
  })
)
