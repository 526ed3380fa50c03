import { type JsonSchema, Layer, Schema } from "effect"
import { type Area, areas, contributionsOf } from "../areas.ts"
import { exampleOf } from "../integrations/webhooks/index.ts"
import { type Actor, layerEventResourcesOf, type Permission, findEventResource } from "../kernel/index.ts"
import {
  type EventCatalogue,
  EventTypes,
  type FeedBatchOf,
  makeFollowEvents,
  makeForgetEventConsumer,
  type EventTypeInfo,
  layerEventConsumersOf,
  makeListEvents,
  makeListEventConsumers,
  makeRewindEventConsumer,
  visibleTypesOf
} from "../platform/events/index.ts"
import { makeGetWorkerStatus } from "../platform/operations/index.ts"

type AreaEventMember = Area["events"]["members"][number]

/** Everything that can happen: the events of all areas. */
export const DomainEvent = Schema.Union(areas.flatMap(({ events }): ReadonlyArray<AreaEventMember> => events.members))
export type DomainEvent = typeof DomainEvent.Type

/** Which permission an actor needs to see each type of event. */
export const eventPermissions = Object.fromEntries(
  areas.flatMap(({ events }) => Object.entries(events.visibleWith))
) as Readonly<Record<DomainEvent["type"], Permission>>

const catalogue: EventCatalogue<DomainEvent> = { schema: DomainEvent, permissions: eventPermissions }

/** The types of events that the actor may see. */
export const visibleTypes = (actor: Actor): ReadonlyArray<string> => visibleTypesOf(catalogue, actor)

/** Reads the feed of events. */
export const listEvents = makeListEvents(catalogue)

/** Follows the feed of events. */
export const followEvents = makeFollowEvents(catalogue)

/** The next events of the feed. */
export type FeedBatch = FeedBatchOf<DomainEvent>

/** What events are about, in all areas. */
export const layerEventResources = layerEventResourcesOf(contributionsOf("eventResources"))

type DomainEventMember = (typeof DomainEvent.members)[number]

/** The schema of what an event says besides its type, with all that it refers to. */
const toEventSchema = (member: DomainEventMember): JsonSchema.JsonSchema => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(member)
  const required = (schema["required"] ?? []) as ReadonlyArray<string>
  const { type: _, ...properties } = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema.JsonSchema>>
  return {
    type: "object",
    properties,
    required: required.filter((field) => field !== "type"),
    ...(Object.keys(definitions).length > 0 && { $defs: definitions })
  }
}

const resources = contributionsOf("eventResources")

const toEventTypeInfo = (member: DomainEventMember): EventTypeInfo => {
  const type = member.fields.type.literal
  const schema = toEventSchema(member)
  const resource = findEventResource(resources, type)
  const example = exampleOf(schema, (schema["$defs"] ?? {}) as Readonly<Record<string, JsonSchema.JsonSchema>>)
  return {
    type,
    permission: eventPermissions[type],
    resourcePermission: resource?.permission ?? null,
    resourceShownWith: resource?.shownWith ?? [],
    fields: Object.keys(member.fields).filter((field) => field !== "type"),
    schema,
    example: example as Readonly<Record<string, Schema.Json>>
  }
}

/** All types of events, in the order of their names. */
export const eventTypes: ReadonlyArray<EventTypeInfo> = DomainEvent.members
  .map(toEventTypeInfo)
  .toSorted((one, other) => (one.type < other.type ? -1 : 1))

/** All types of events, for those who let others choose some. */
export const layerEventTypes = Layer.sync(EventTypes, () => new Map(eventTypes.map((known) => [known.type, known])))

const declaredConsumers = contributionsOf("reactions")

/** Everybody who follows the logs of events: the reactions of all areas. */
export const layerEventConsumers = layerEventConsumersOf(declaredConsumers)

/** Shows who follows the logs of events, and what holds them up. */
export const listEventConsumers = makeListEventConsumers(declaredConsumers)

/** Sets a subscriber back in an organization's log. */
export const rewindEventConsumer = makeRewindEventConsumer(declaredConsumers)

/** Forgets a subscriber that no area has any more. */
export const forgetEventConsumer = makeForgetEventConsumer(declaredConsumers)

/** Shows who does what in the background, and how far behind each work and each subscriber is. */
export const getWorkerStatus = makeGetWorkerStatus(declaredConsumers)
