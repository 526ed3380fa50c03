import { Effect } from "effect"
import { CurrentActor, Cursors, type PageRequest, useCase } from "../../kernel/index.ts"
import { EventLog } from "../EventLog.ts"
import { visibleTypes } from "../Visibility.ts"

/** Reads the events after the cursor, oldest first. The cursor it gives is always good to go on from, at the end too. */
export const listEvents = useCase(
  "events.list",
  { access: { permission: "events.read" } },
  Effect.fnUntraced(function* (page: PageRequest) {
    const log = yield* EventLog
    const cursors = yield* Cursors
    const after = page.cursor === null ? null : yield* cursors.open("events", page.cursor)
    const types = visibleTypes(yield* CurrentActor)
    const events = yield* log.list(types, { limit: page.limit, after })
    const last = events.at(-1)
    const key = last === undefined ? (after ?? ["0"]) : [String(last.position)]
    const data = yield* Effect.forEach(events, (event) =>
      Effect.map(cursors.seal("events", [String(event.position)]), (cursor) => ({ cursor, event }))
    )
    return { data, nextCursor: yield* cursors.seal("events", key) }
  })
)
