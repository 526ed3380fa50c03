import { Effect, Schema } from "effect"
import { BroadcastId, Broadcasts } from "../../../campaigns/index.ts"
import { ProductId, StoreConnectionId, StoreConnections, StoreProducts } from "../../../commerce/index.ts"
import { TagId, Tags } from "../../../crm/index.ts"
import { UserId } from "../../../kernel/index.ts"
import { ChatAccountId, ChatAccounts } from "../../../messaging/chat/index.ts"
import { Members } from "../../../platform/identity/index.ts"
import { ScheduleId, WeeklySchedules } from "../../schedules/index.ts"
import type { Leaf } from "./ConditionInput.ts"
import { factFields, isFactFieldName, type NamedKind } from "./factFields.ts"

/** Something that is named by its id, and where. */
export interface NamedThing {
  readonly kind: NamedKind | "schedule"
  readonly id: string
  readonly pointer: string
}

const textsIn = (value: Schema.Json | undefined, pointer: string) =>
  Array.isArray(value)
    ? value.map((id: Schema.Json, place) => ({ id, pointer: `${pointer}/${place}` }))
    : [{ id: value, pointer }]

/** What conditions name beside what filters of contacts do. */
export const namedInLeaves = (leaves: ReadonlyArray<Leaf>): ReadonlyArray<NamedThing> =>
  leaves.flatMap(({ pointer, said }): ReadonlyArray<NamedThing> => {
    const { field, key, value } = said
    if (field === "schedule") return key === undefined ? [] : [{ kind: "schedule", id: key, pointer: `${pointer}/key` }]
    const kind = isFactFieldName(field) ? factFields[field].names : null
    if (kind === null) return []
    return textsIn(value, `${pointer}/value`).flatMap(({ id, pointer }) =>
      typeof id === "string" ? [{ kind, id, pointer }] : []
    )
  })

const idsAs = <A>(schema: Schema.Codec<A, unknown>, ids: ReadonlyArray<string>): ReadonlyArray<A> =>
  ids.filter(Schema.is(schema))

const known = (kind: NamedThing["kind"], ids: ReadonlyArray<string>) => {
  const idsOf = (found: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> => found.map(({ id }) => id)
  switch (kind) {
    case "broadcast":
      return Effect.flatMap(Broadcasts, (port) => port.known(idsAs(BroadcastId, ids)))
    case "chat account":
      return Effect.map(
        Effect.flatMap(ChatAccounts, (port) => port.find(idsAs(ChatAccountId, ids))),
        idsOf
      )
    case "member":
      return Effect.map(
        Effect.flatMap(Members, (port) => port.findByUsers(idsAs(UserId, ids))),
        (members) => members.flatMap(({ userId }): ReadonlyArray<string> => (userId === null ? [] : [userId]))
      )
    case "product":
      return Effect.flatMap(StoreProducts, (port) => port.known(idsAs(ProductId, ids)))
    case "schedule":
      return Effect.flatMap(WeeklySchedules, (port) =>
        Effect.filter(idsAs(ScheduleId, ids), (id) => Effect.isSuccess(port.get(id)))
      )
    case "store connection":
      return Effect.map(
        Effect.flatMap(StoreConnections, (port) => port.find(idsAs(StoreConnectionId, ids))),
        idsOf
      )
    case "tag":
      return Effect.map(
        Effect.flatMap(Tags, (port) => port.find(idsAs(TagId, ids))),
        idsOf
      )
  }
}

/** What there is of what is named. */
export type KnownThings = ReadonlyMap<NamedThing["kind"], ReadonlySet<string>>

const find = Effect.fnUntraced(function* (things: ReadonlyArray<NamedThing>) {
  const found = new Map<NamedThing["kind"], ReadonlySet<string>>()
  for (const kind of new Set(things.map((thing) => thing.kind))) {
    const ids = new Set(things.filter((thing) => thing.kind === kind).map(({ id }) => id))
    found.set(kind, new Set<string>(yield* known(kind, [...ids])))
  }
  const there: KnownThings = found
  return there
})

/** Looks after what is named: each kind once. */
export const knownThings = (things: ReadonlyArray<NamedThing>) =>
  things.length === 0 ? Effect.succeed<KnownThings>(new Map()) : find(things)

/** Whether it is there. */
export const isThere = (known: KnownThings, { id, kind }: Pick<NamedThing, "id" | "kind">): boolean =>
  known.get(kind)?.has(id) === true
