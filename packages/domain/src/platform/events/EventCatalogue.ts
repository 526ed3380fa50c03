import { Effect, Schema } from "effect"
import {
  type Actor,
  CurrentActor,
  type EventShape,
  holds,
  type Permission,
  ValidationFailed
} from "../../kernel/index.ts"
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

/** Whether a type of event is meant: by its name, or by its beginning, as `contact.*` means all of contacts. */
const isMeant = (type: string, asked: string): boolean =>
  asked.endsWith(".*") ? type.startsWith(asked.slice(0, -1)) : type === asked

/** The types of events that are asked for and that the actor may see; all of those if nothing is asked for. */
export const typesMeant = <Event extends EventShape>(
  catalogue: Pick<EventCatalogue<Event>, "permissions">,
  asked: ReadonlyArray<string> | undefined
) =>
  Effect.flatMap(CurrentActor, (actor): Effect.Effect<ReadonlyArray<string>, ValidationFailed> => {
    const visible = visibleTypesOf(catalogue, actor)
    if (asked === undefined) return Effect.succeed(visible)
    const known = Object.keys(catalogue.permissions)
    const errors = asked.flatMap((each, index) =>
      known.some((type) => isMeant(type, each))
        ? []
        : [{ pointer: `/type/${index}`, message: "There are no events of this type" }]
    )
    return errors.length > 0
      ? Effect.fail(new ValidationFailed({ errors }))
      : Effect.succeed(visible.filter((type) => asked.some((each) => isMeant(type, each))))
  })

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
