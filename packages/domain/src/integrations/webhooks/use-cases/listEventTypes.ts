import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import { type PublishedEventTypes, published } from "../PublishedEventTypes.ts"
import { EventTypes } from "../../../platform/events/index.ts"

/** Lists every type of event that there is, with the schema and an example of a delivery of it. */
export const listEventTypes = useCase(
  "eventTypes.list",
  { access: { permission: "events.read" } },
  Effect.fnUntraced(function* () {
    const types = yield* EventTypes
    return { data: Array.from(types.values(), published) } satisfies PublishedEventTypes
  })
)
