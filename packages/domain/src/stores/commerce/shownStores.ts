import { DateTime, Effect } from "effect"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreMarks } from "../StoreMarks.ts"
import type { CommerceRows } from "./CommerceOfContacts.ts"
import { shownCommerce, shownConnection } from "./shown.ts"

/** When the oldest change of each of these stores was told that is not read yet. */
const marksOf = Effect.fnUntraced(function* (connections: ReadonlyArray<StoreConnection>) {
  const marks = yield* (yield* StoreMarks).oldestOf(connections.map(({ id }) => id))
  return new Map(marks.map(({ storeConnectionId, toldAt }) => [storeConnectionId, toldAt]))
})

/** Stores as they are shown, with how fresh they are now. */
export const showConnections = Effect.fnUntraced(function* (connections: ReadonlyArray<StoreConnection>) {
  const [marks, now] = [yield* marksOf(connections), yield* DateTime.now]
  return connections.map((connection) => shownConnection(connection, now, marks.get(connection.id) ?? null))
})

/** A store as it is shown, with how fresh it is now. */
export const showConnection = Effect.fnUntraced(function* (connection: StoreConnection) {
  const marks = yield* marksOf([connection])
  return shownConnection(connection, yield* DateTime.now, marks.get(connection.id) ?? null)
})

/** What all stores know of a contact as it is shown, with how fresh each of them is now. */
export const showCommerce = Effect.fnUntraced(function* (rows: CommerceRows) {
  return shownCommerce(rows, yield* DateTime.now, yield* marksOf(rows.connections))
})
