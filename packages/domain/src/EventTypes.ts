import { type JsonSchema, Layer, Schema } from "effect"
import { ofAllAreas } from "./areas.ts"
import { DomainEvent, eventPermissions } from "./DomainEvent.ts"
import { exampleOf } from "./integrations/webhooks/index.ts"
import { EventTypes, type KnownEventType } from "./platform/events/index.ts"
import { resourceOf } from "./kernel/index.ts"

type Member = (typeof DomainEvent.members)[number]

/** The schema of what an event says besides its type, with all that it refers to. */
const schemaOf = (member: Member): JsonSchema.JsonSchema => {
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

const knownOf = (member: Member): KnownEventType => {
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
