import { Effect } from "effect"
import { EventLog, readingWith } from "../../../platform/events/index.ts"
import { ValidationFailed } from "../../../kernel/index.ts"
import { AnySourceEvent } from "../runs/situationOf.ts"
import { typesCountedFrom } from "../triggers/countedFrom.ts"
import type { Trigger } from "../triggers/Trigger.ts"

const read = readingWith({ schema: AnySourceEvent })

const refused = (message: string) => new ValidationFailed({ errors: [{ pointer: "/position", message }] })

/** The event at a position, if it is one on which this may begin. */
export const sourceAt = Effect.fnUntraced(function* (position: number, when: Trigger) {
  const [found] = yield* (yield* EventLog).at([position])
  if (found === undefined) return yield* refused("There is no event at this position")
  const types: ReadonlyArray<string> = typesCountedFrom(when)
  const [logged] = types.includes(found.event.type) ? yield* read([found]) : []
  return logged ?? (yield* refused(`Expected the position of one of: ${types.join(", ")}`))
})
