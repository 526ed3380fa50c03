import { Effect } from "effect"
import { CurrentActor, Cursors, type EventShape, type PageRequest, useCase } from "../../kernel/index.ts"
import { type EventCatalogue, readingWith, visibleTypesOf } from "../EventCatalogue.ts"
import { EventLog } from "../EventLog.ts"

/** Reads the events after the cursor, oldest first. The cursor it gives is always good to go on from, at the end too. */
export const listEventsOf = <Event extends EventShape>(catalogue: EventCatalogue<Event>) => {
  const readAll = readingWith(catalogue)
  return useCase(
    "events.list",
    { access: { permission: "events.read" } },
    Effect.fnUntraced(function* (page: PageRequest) {
      const log = yield* EventLog
      const cursors = yield* Cursors
      const after = page.cursor === null ? null : yield* cursors.open("events", page.cursor)
      const types = visibleTypesOf(catalogue, yield* CurrentActor)
      const events = yield* readAll(yield* log.list(types, { limit: page.limit, after }))
      const last = events.at(-1)
      const key = last === undefined ? (after ?? ["0"]) : [String(last.position)]
      const data = yield* Effect.forEach(events, (event) =>
        Effect.map(cursors.seal("events", [String(event.position)]), (cursor) => ({ cursor, event }))
      )
      return { data, nextCursor: yield* cursors.seal("events", key) }
    })
  )
}
