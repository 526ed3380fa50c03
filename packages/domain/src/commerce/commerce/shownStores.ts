import { DateTime, Effect } from "effect"
import type { StoreConnection } from "../StoreConnection.ts"
import { SkippedRecords } from "../SkippedRecords.ts"
import { StoreMarks } from "../StoreMarks.ts"
import type { CommerceRows } from "./CommerceOfContacts.ts"
import { shownCommerce, shownConnection } from "./shown.ts"

/** When the oldest change of each of these stores was told that is not read yet. */
const marksOf = Effect.fnUntraced(function* (connections: ReadonlyArray<StoreConnection>) {
  const marks = yield* (yield* StoreMarks).oldestOf(connections.map(({ id }) => id))
  return new Map(marks.map(({ storeConnectionId, toldAt }) => [storeConnectionId, toldAt]))
})

const skippedOf = Effect.fnUntraced(function* (connections: ReadonlyArray<StoreConnection>) {
  const counts = yield* (yield* SkippedRecords).counts(connections.map(({ id }) => id))
  return new Map(counts.map(({ count, storeConnectionId }) => [storeConnectionId, count]))
})

/** Stores for display: with their current freshness and the number of their skipped records. */
export const showConnections = Effect.fnUntraced(function* (connections: ReadonlyArray<StoreConnection>) {
  const [marks, skipped, now] = [yield* marksOf(connections), yield* skippedOf(connections), yield* DateTime.now]
  return connections.map((connection) =>
    shownConnection(connection, now, marks.get(connection.id) ?? null, skipped.get(connection.id) ?? 0)
  )
})

/** A store for display: with its current freshness and the number of its skipped records. */
export const showConnection = Effect.fnUntraced(function* (connection: StoreConnection) {
  const [marks, skipped] = [yield* marksOf([connection]), yield* skippedOf([connection])]
  const { id } = connection
  return shownConnection(connection, yield* DateTime.now, marks.get(id) ?? null, skipped.get(id) ?? 0)
})

/** What all stores know of a contact as it is shown, with how fresh each of them is now. */
export const showCommerce = Effect.fnUntraced(function* (rows: CommerceRows) {
  return shownCommerce(rows, yield* DateTime.now, yield* marksOf(rows.connections))
})
