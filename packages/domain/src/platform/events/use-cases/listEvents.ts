import { type DateTime, Effect } from "effect"
import { Cursors, type EventShape, invalid, type PageRequest, useCase } from "../../../kernel/index.ts"
import { type EventCatalogue, readingWith, typesMeant } from "../EventCatalogue.ts"
import { EventLog } from "../EventLog.ts"
import { beginning } from "../beginning.ts"

/** Which events to read: of some types, or whatever begins as `contact.*`; all that the actor may see if nothing is said. */
export interface EventListRequest {
  readonly types?: ReadonlyArray<string>
  /** Begins before whatever happened at this time or later, where no cursor says where. */
  readonly since?: DateTime.Utc
}

/** Reads the events after the cursor, oldest first. The cursor it gives is always good to go on from, at the end too. */
export const listEventsOf = <Event extends EventShape>(catalogue: EventCatalogue<Event>) => {
  const readAll = readingWith(catalogue)
  return useCase(
    "events.list",
    { access: { permission: "events.read" } },
    Effect.fnUntraced(function* ({ since, types: asked }: EventListRequest, page: PageRequest) {
      const log = yield* EventLog
      const cursors = yield* Cursors
      if (since !== undefined && page.cursor !== null) return yield* invalid("/since", "Expected one of: since, after")
      const start = yield* beginning(page.cursor, since)
      const types = yield* typesMeant(catalogue, asked)
      // What is in the log up to here was looked through when the list ends, whatever was found.
      const head = yield* log.head()
      const events = yield* readAll(
        yield* log.list(types, { limit: page.limit, after: start === null ? null : [String(start)] })
      )
      const last = events.at(-1)?.position ?? start ?? 0
      const key = [String(events.length < page.limit ? Math.max(last, head) : last)]
      const data = yield* Effect.forEach(events, (event) =>
        Effect.map(cursors.seal("events", [String(event.position)]), (cursor) => ({ cursor, event }))
      )
      return { data, nextCursor: yield* cursors.seal("events", key) }
    })
  )
}
