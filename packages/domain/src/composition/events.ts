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

/** Union of all domain events. */
export const DomainEvent = Schema.Union(areas.flatMap(({ events }): ReadonlyArray<AreaEventMember> => events.members))
export type DomainEvent = typeof DomainEvent.Type

/** Permission to see each event type. */
export const eventPermissions = Object.fromEntries(
  areas.flatMap(({ events }) => Object.entries(events.visibleWith))
) as Readonly<Record<DomainEvent["type"], Permission>>

const catalogue: EventCatalogue<DomainEvent> = { schema: DomainEvent, permissions: eventPermissions }

/** Returns the event types that the actor may see. */
export const visibleTypes = (actor: Actor): ReadonlyArray<string> => visibleTypesOf(catalogue, actor)

export const listEvents = makeListEvents(catalogue)

export const followEvents = makeFollowEvents(catalogue)

export type FeedBatch = FeedBatchOf<DomainEvent>

/** Resources of the events of all areas. */
export const layerEventResources = layerEventResourcesOf(contributionsOf("eventResources"))

type DomainEventMember = (typeof DomainEvent.members)[number]

/** Returns the schema of an event without `type`, with all referenced definitions. */
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

/** All event types in name order. */
export const eventTypes: ReadonlyArray<EventTypeInfo> = DomainEvent.members
  .map(toEventTypeInfo)
  .toSorted((one, other) => (one.type < other.type ? -1 : 1))

/** All event types, for areas that offer a selection of them. */
export const layerEventTypes = Layer.sync(EventTypes, () => new Map(eventTypes.map((known) => [known.type, known])))

const declaredConsumers = contributionsOf("eventConsumers")

/** Event consumers of all areas. */
export const layerEventConsumers = layerEventConsumersOf(declaredConsumers)

/** Lists the event consumers and the events that block them. */
export const listEventConsumers = makeListEventConsumers(declaredConsumers)

/** Rewinds an event consumer in an organization's log. */
export const rewindEventConsumer = makeRewindEventConsumer(declaredConsumers)

/** Deletes an event consumer that no area declares. */
export const forgetEventConsumer = makeForgetEventConsumer(declaredConsumers)

/** Shows the worker processes and the backlog of each work and each event consumer. */
export const getWorkerStatus = makeGetWorkerStatus(declaredConsumers)
