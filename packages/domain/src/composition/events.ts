import { type JsonSchema, Layer, Schema } from "effect"
import { type Area, areas, ofAllAreas } from "../areas.ts"
import { exampleOf } from "../integrations/webhooks/index.ts"
import { type Actor, layerEventResourcesOf, type Permission, resourceOf } from "../kernel/index.ts"
import {
  type EventCatalogue,
  EventTypes,
  type FeedAdvanceOf,
  followEventsOf,
  forgetSubscriberOf,
  type KnownEventType,
  layerSubscribersOf,
  listEventsOf,
  listSubscribersOf,
  rewindSubscriberOf,
  visibleTypesOf
} from "../platform/events/index.ts"
import { showWorkersOf } from "../platform/operations/index.ts"

type Member = Area["events"]["members"][number]

/** Everything that can happen: the events of all areas. */
export const DomainEvent = Schema.Union(areas.flatMap(({ events }): ReadonlyArray<Member> => events.members))
export type DomainEvent = typeof DomainEvent.Type

/** Which permission an actor needs to see each type of event. */
export const eventPermissions = Object.fromEntries(
  areas.flatMap(({ events }) => Object.entries(events.visibleWith))
) as Readonly<Record<DomainEvent["type"], Permission>>

const catalogue: EventCatalogue<DomainEvent> = { schema: DomainEvent, permissions: eventPermissions }

/** The types of events that the actor may see. */
export const visibleTypes = (actor: Actor): ReadonlyArray<string> => visibleTypesOf(catalogue, actor)

/** Reads the feed of events. */
export const listEvents = listEventsOf(catalogue)

/** Follows the feed of events. */
export const followEvents = followEventsOf(catalogue)

/** The next events of the feed. */
export type FeedAdvance = FeedAdvanceOf<DomainEvent>

/** What events are about, in all areas. */
export const layerEventResources = layerEventResourcesOf(ofAllAreas("eventResources"))

type EventTypesMember = (typeof DomainEvent.members)[number]

/** The schema of what an event says besides its type, with all that it refers to. */
const schemaOf = (member: EventTypesMember): JsonSchema.JsonSchema => {
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

const resources = ofAllAreas("eventResources")

const knownOf = (member: EventTypesMember): KnownEventType => {
  const type = member.fields.type.literal
  const schema = schemaOf(member)
  const resource = resourceOf(resources, type)
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
export const eventTypes: ReadonlyArray<KnownEventType> = DomainEvent.members
  .map(knownOf)
  .toSorted((one, other) => (one.type < other.type ? -1 : 1))

/** All types of events, for those who let others choose some. */
export const layerEventTypes = Layer.sync(EventTypes, () => new Map(eventTypes.map((known) => [known.type, known])))

const all = ofAllAreas("reactions")

/** Everybody who follows the logs of events: the reactions of all areas. */
export const layerSubscribers = layerSubscribersOf(all)

/** Shows who follows the logs of events, and what holds them up. */
export const listSubscribers = listSubscribersOf(all)

/** Sets a subscriber back in an organization's log. */
export const rewindSubscriber = rewindSubscriberOf(all)

/** Forgets a subscriber that no area has any more. */
export const forgetSubscriber = forgetSubscriberOf(all)

/** Shows who does what in the background, and how far behind each work and each subscriber is. */
export const showWorkers = showWorkersOf(all)
