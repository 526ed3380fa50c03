import { Context, type JsonSchema, type Schema } from "effect"
import type { Permission } from "../../kernel/index.ts"

/** What is known of a type of event. */
export interface KnownEventType {
  readonly type: string
  /** What somebody needs to see it. */
  readonly permission: Permission
  /** What somebody needs to read what it is about; `null` where that cannot be read. */
  readonly resourcePermission: Permission | null
  /** Additional permissions of single fields of the resource. */
  readonly resourceShownWith: ReadonlyArray<Permission>
  /** The fields it has, besides its type. */
  readonly fields: ReadonlyArray<string>
  /** What its fields are, as JSON Schema. */
  readonly schema: JsonSchema.JsonSchema
  /** What its fields may be. */
  readonly example: Readonly<Record<string, Schema.Json>>
}

/** All types of events, those of the areas above too, by name. */
export class EventTypes extends Context.Service<EventTypes, ReadonlyMap<string, KnownEventType>>()(
  "@parley/domain/platform/events/EventTypes"
) {}
