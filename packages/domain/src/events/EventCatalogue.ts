import { Effect, Schema } from "effect"
import { type Actor, type EventShape, holds, type Permission } from "../kernel/index.ts"
import type { LoggedEvent } from "./EventLog.ts"

/** The events that there are, and which permission an actor needs to see each of them. */
export interface EventCatalogue<Event extends EventShape> {
  readonly schema: Schema.Codec<Event, unknown>
  readonly permissions: Readonly<Record<Event["type"], Permission>>
}

/** The types of events that the actor may see. */
export const visibleTypesOf = <Event extends EventShape>(
  { permissions }: Pick<EventCatalogue<Event>, "permissions">,
  actor: Actor
): ReadonlyArray<string> =>
  Object.entries<Permission>(permissions)
    .filter(([, permission]) => holds(actor, permission))
    .map(([type]) => type)

/**
 * Reads events of the log as what the catalogue says they are. They were right when they were logged, so no rule is checked
 * again; one that the catalogue does not know is a defect: the log is older or newer than the code.
 */
export const readingWith = <Event extends EventShape>({ schema }: Pick<EventCatalogue<Event>, "schema">) => {
  const decode = Schema.decodeUnknownEffect(schema, { disableChecks: true })
  return (events: ReadonlyArray<LoggedEvent>): Effect.Effect<ReadonlyArray<LoggedEvent<Event>>> =>
    Effect.forEach(events, (logged) => Effect.map(decode(logged.event), (event) => ({ ...logged, event }))).pipe(
      Effect.orDie
    )
}
