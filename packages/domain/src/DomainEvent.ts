import { Schema } from "effect"
import { type Area, areas } from "./areas.ts"
import {
  type EventCatalogue,
  type FeedAdvanceOf,
  followEventsOf,
  listEventsOf,
  visibleTypesOf
} from "./platform/events/index.ts"
import type { Actor, Permission } from "./kernel/index.ts"

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
