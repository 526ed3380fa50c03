import { Effect, Schema } from "effect"
import { BroadcastId, Broadcasts } from "../../../campaigns/index.ts"
import { ProductId, StoreConnectionId, StoreConnections, StoreProducts } from "../../../commerce/index.ts"
import { ContactFields, TagId, Tags } from "../../../crm/index.ts"
import { UserId } from "../../../kernel/index.ts"
import { ChatAccountId, ChatAccounts } from "../../../messaging/chat/index.ts"
import { Members } from "../../../platform/identity/index.ts"
import { ScheduleId, WeeklySchedules } from "../../schedules/index.ts"
import type { ConditionLeaf } from "./ConditionInput.ts"
import { factFields, isFactFieldName, type ReferencedKind } from "./factFields.ts"

/** Reference to a resource by id, with its pointer. Contact fields and date fields have their key as id. */
export interface ResourceReference {
  readonly kind: ReferencedKind | "contact field" | "date field" | "schedule"
  readonly id: string
  readonly pointer: string
}

const toIdValues = (value: Schema.Json | undefined, pointer: string) =>
  Array.isArray(value)
    ? value.map((id: Schema.Json, place) => ({ id, pointer: `${pointer}/${place}` }))
    : [{ id: value, pointer }]

/** References of conditions that contact filters do not have. */
export const referencesInLeaves = (leaves: ReadonlyArray<ConditionLeaf>): ReadonlyArray<ResourceReference> =>
  leaves.flatMap(({ pointer, input }): ReadonlyArray<ResourceReference> => {
    const { field, key, value } = input
    if (field === "schedule") return key === undefined ? [] : [{ kind: "schedule", id: key, pointer: `${pointer}/key` }]
    const kind = isFactFieldName(field) ? factFields[field].names : null
    if (kind === null) return []
    return toIdValues(value, `${pointer}/value`).flatMap(({ id, pointer }) =>
      typeof id === "string" ? [{ kind, id, pointer }] : []
    )
  })

const filterIds = <A>(schema: Schema.Codec<A, unknown>, ids: ReadonlyArray<string>): ReadonlyArray<A> =>
  ids.filter(Schema.is(schema))

const findKnownIds = (kind: ResourceReference["kind"], ids: ReadonlyArray<string>) => {
  const idsOf = (found: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> => found.map(({ id }) => id)
  switch (kind) {
    case "broadcast":
      return Effect.flatMap(Broadcasts, (port) => port.known(filterIds(BroadcastId, ids)))
    case "chat account":
      return Effect.map(
        Effect.flatMap(ChatAccounts, (port) => port.find(filterIds(ChatAccountId, ids))),
        idsOf
      )
    case "contact field":
      return Effect.map(
        Effect.flatMap(ContactFields, (port) => port.all()),
        (fields) => fields.map(({ key }): string => key)
      )
    case "date field":
      return Effect.map(
        Effect.flatMap(ContactFields, (port) => port.all()),
        (fields) => fields.flatMap(({ key, type }): ReadonlyArray<string> => (type === "date" ? [key] : []))
      )
    case "member":
      return Effect.map(
        Effect.flatMap(Members, (port) => port.findByUsers(filterIds(UserId, ids))),
        (members) => members.flatMap(({ userId }): ReadonlyArray<string> => (userId === null ? [] : [userId]))
      )
    case "product":
      return Effect.flatMap(StoreProducts, (port) => port.known(filterIds(ProductId, ids)))
    case "schedule":
      return Effect.flatMap(WeeklySchedules, (port) =>
        Effect.filter(filterIds(ScheduleId, ids), (id) => Effect.isSuccess(port.get(id)))
      )
    case "store connection":
      return Effect.map(
        Effect.flatMap(StoreConnections, (port) => port.find(filterIds(StoreConnectionId, ids))),
        idsOf
      )
    case "tag":
      return Effect.map(
        Effect.flatMap(Tags, (port) => port.find(filterIds(TagId, ids))),
        idsOf
      )
  }
}

/** Existing resources among the references. */
export type KnownResources = ReadonlyMap<ResourceReference["kind"], ReadonlySet<string>>

const loadResources = Effect.fnUntraced(function* (things: ReadonlyArray<ResourceReference>) {
  const found = new Map<ResourceReference["kind"], ReadonlySet<string>>()
  for (const kind of new Set(things.map((thing) => thing.kind))) {
    const ids = new Set(things.filter((thing) => thing.kind === kind).map(({ id }) => id))
    found.set(kind, new Set<string>(yield* findKnownIds(kind, [...ids])))
  }
  const there: KnownResources = found
  return there
})

/** Loads the existing resources among the references, with one query per kind. */
export const loadKnownResources = (things: ReadonlyArray<ResourceReference>) =>
  things.length === 0 ? Effect.succeed<KnownResources>(new Map()) : loadResources(things)

export const isKnownResource = (known: KnownResources, { id, kind }: Pick<ResourceReference, "id" | "kind">): boolean =>
  known.get(kind)?.has(id) === true
