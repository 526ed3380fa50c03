import { Effect, Schema } from "effect"
import { analyseLiquid, type NamedPath, type Vocabulary } from "../../../campaigns/index.ts"
import { ContactFields } from "../../../crm/index.ts"
import type { Fault } from "../../../kernel/index.ts"
import { ScheduleId, WeeklySchedules } from "../../../schedules/index.ts"
import type { Action } from "../Action.ts"
import { hasLiquid, textsOf } from "../textsOf.ts"

/** What a text names, what is wrong with it, and where it stands. */
interface ReadText {
  readonly named: ReadonlyArray<NamedPath>
  readonly faults: ReadonlyArray<string>
  readonly pointer: string
}

const step = (name: string) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`

const textsIn = (value: Schema.Json, vocabulary: Vocabulary<NamedPath>, pointer: string): ReadonlyArray<ReadText> => {
  if (typeof value === "string") {
    if (!hasLiquid(value)) return []
    const { faults, named } = analyseLiquid(value, vocabulary)
    return [{ named, faults, pointer }]
  }
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, vocabulary, pointer + step(name)))
}

const keyOfField = ([group, name, key]: NamedPath): string | null => {
  if (group === "attribute") return name ?? null
  return group === "contact" && name === "attribute" ? (key ?? null) : null
}

/** The fields of contacts that there are; they are looked at only where something names one. */
const fieldsFor = Effect.fnUntraced(function* (texts: ReadonlyArray<ReadText>) {
  const isNamed = texts.some(({ named }) => named.some((path) => keyOfField(path) !== null))
  const fields = isNamed ? yield* (yield* ContactFields).all() : []
  return new Set<string>(fields.map(({ key }) => key))
})

const idOfSchedule = ([group, id]: NamedPath): string | null => (group === "schedule" ? (id ?? null) : null)

const schedulesFor = Effect.fnUntraced(function* (texts: ReadonlyArray<ReadText>) {
  const ids = texts.flatMap(({ named }) => named.flatMap((path) => idOfSchedule(path) ?? []))
  const found = ids.length === 0 ? [] : yield* (yield* WeeklySchedules).find(ids.filter(Schema.is(ScheduleId)))
  return new Set<string>(found.map(({ id }) => id))
})

/** What is wrong with the Liquid in the texts of an action, and what it names that there is not. */
export const faultsOfTexts = Effect.fnUntraced(function* (
  action: Action,
  vocabulary: Vocabulary<NamedPath>,
  pointer: string
) {
  const texts = textsOf[action.type].flatMap(([field]) => {
    const said: unknown = Reflect.get(action, field)
    return said === undefined ? [] : textsIn(said as Schema.Json, vocabulary, `${pointer}/${field}`)
  })
  const fields = yield* fieldsFor(texts)
  const schedules = yield* schedulesFor(texts)
  const goneOf = (path: NamedPath): ReadonlyArray<string> => {
    const [key, id] = [keyOfField(path), idOfSchedule(path)]
    if (key !== null) return fields.has(key) ? [] : [`There is no contact field with the key ${key}`]
    return id === null || schedules.has(id) ? [] : [`There is no schedule with the id ${id}`]
  }
  return texts.flatMap(({ faults, named, pointer: at }) =>
    [...faults, ...named.flatMap(goneOf)].map((message): Fault => ({ pointer: at, message }))
  )
})
